import * as z from 'zod/mini'
import { optionalMultiLineText } from './fields.ts'
import { rules } from './moderation-rules.ts'

export const maxReportsPerDay = 10
export const reportLength = { max: 1_000 } as const
export const reportMessages = { text: 'Describe what’s wrong with this note.' } as const

/** The complaint about a note. The rule `other` requires a text. */
export const report = z.object({ rule: z.enum(rules), text: optionalMultiLineText(reportLength.max) }).check(
  z.refine(({ rule, text }) => rule !== 'other' || text !== undefined, {
    path: ['text'],
    error: reportMessages.text,
  }),
)
export type Report = z.infer<typeof report>
