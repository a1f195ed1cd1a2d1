import * as z from 'zod/mini'
import { email } from './accounts.ts'
import { cleanLine } from './clean-text.ts'
import { messages, multiLineText, name } from './fields.ts'
import { reportLength } from './reports.ts'

export const claimMessages = {
  note: 'Paste the link to the note.',
  text: 'Describe your work and where it was published.',
} as const
const noteId = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i

/** A complaint against a note, sent without an account. */
export const copyrightClaim = z.object(
  {
    /** The URL of the note, or only its id. */
    note: z
      .string({ error: claimMessages.note })
      .check(
        z.overwrite(cleanLine),
        z.maxLength(2_000, { error: claimMessages.note }),
        z.regex(noteId, { error: claimMessages.note }),
      ),
    name,
    email: email(messages.fillAllFields),
    text: multiLineText(reportLength.max, claimMessages.text),
    /** Hidden in the form, so that only bots fill it in. */
    website: z.optional(z.string().check(z.maxLength(2_000))),
  },
  { error: messages.fillAllFields },
)
export type CopyrightClaim = z.infer<typeof copyrightClaim>
export const noteIdOf = (address: string): string => noteId.exec(address)?.[0].toLowerCase() ?? ''
