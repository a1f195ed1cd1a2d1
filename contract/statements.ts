/** What moderators and authors write to each other. */
export const statementLength = { max: 1_000 } as const
export const moderationMessages = { statement: 'Please write something here.' } as const
