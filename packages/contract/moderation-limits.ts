/** Length of the texts that moderators and authors write to each other. */
export const statementLength = { max: 1_000 } as const
export const moderationMessages = { statement: 'This field is required.' } as const
/** How many days a note waits for its author, who may be suspended or never read the question. */
export const answerDays = 7
