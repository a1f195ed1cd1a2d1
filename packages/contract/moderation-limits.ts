/** What moderators and authors write to each other. */
export const statementLength = { max: 1_000 } as const
export const moderationMessages = { statement: 'Please write something here.' } as const
/** So long a note waits for its author, who may be suspended, or never read it. */
export const answerDays = 7
