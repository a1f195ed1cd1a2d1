import * as z from 'zod/mini'
import { count, id, multiLineText, optionalSingleLineText, timestamp } from './fields.ts'
import { emailLength } from './limits.ts'
import { moderationMessages, statementLength } from './moderation-limits.ts'
import { roles } from './roles.ts'

/** `text`: a part of a name or an e-mail. `after`: the last account held, by its e-mail. */
export const membersQuery = z.object({
  text: optionalSingleLineText(emailLength.max),
  after: optionalSingleLineText(emailLength.max),
})
export type MembersQuery = z.infer<typeof membersQuery>
export const memberParams = z.object({ id })

/** Until when is null where it has to be lifted. */
const until = z.nullable(timestamp)
const suspension = z.object({ at: timestamp, until, reason: z.string(), hidesNotes: z.boolean() })

/** An account as admins see it: nothing of what it shares, and of suspensions those by name alone. */
const member = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  suspension: z.optional(suspension),
  /** What it may upload in 24 hours, where that is not what all may. */
  dailyUploadMb: z.optional(count),
})
export type Member = z.infer<typeof member>
export const membersShown = 50
export const memberList = z.object({ members: z.array(member), hasMore: z.boolean() })
export type MemberList = z.infer<typeof memberList>

export const roleChange = z.object({ role: z.enum(roles) })
export const uploadQuotaMax = 1_000_000
export const notMegabytes = (max: number) => `Please type a whole number from 1 to ${max}, or nothing.`
const limit = { error: `A limit is a whole number of MB from 1 to ${uploadQuotaMax}, or null.` }
export const dailyUploadLimit = z.nullable(z.int(limit).check(z.gte(1, limit), z.lte(uploadQuotaMax, limit)))
/** Null: as all may. */
export const quotaChange = z.object({ dailyUploadMb: dailyUploadLimit })
/** As it is typed: nothing for none. @param max what this server is set up for. */
export const quotaForm = (max: number) =>
  z.object({
    dailyUploadMb: z.pipe(
      z.string().check(
        z.trim(),
        z.refine((typed) => typed === '' || (/^\d{1,7}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= max), {
          error: notMegabytes(max),
        }),
      ),
      z.transform((typed) => (typed === '' ? null : Number(typed))),
    ),
  })

const suspensionDays = { max: 3_650 } as const
const suspensionTerms = {
  /** Null: until it is lifted. */
  days: z.nullable(z.int().check(z.gte(1), z.lte(suspensionDays.max))),
  reason: multiLineText(statementLength.max, moderationMessages.statement),
}
export const newNoteSuspension = z.object(suspensionTerms)
export type NewNoteSuspension = z.infer<typeof newNoteSuspension>
/** As it is typed: no days until it is lifted. */
export const suspensionForm = z.pipe(
  z.pipe(
    z.object({ days: z.string(), reason: z.string() }),
    z.transform(({ days, reason }) => ({ days: days === '' ? null : Number(days), reason })),
  ),
  newNoteSuspension,
)
/** Hidden are the notes that are shared by name, never those without. */
export const newSuspension = z.object({ ...suspensionTerms, hidesNotes: z.boolean() })
export type NewSuspension = z.infer<typeof newSuspension>

/** A suspension of whoever shared a note: of the account nothing is told. */
const noteSuspension = z.object({ noteId: id, title: z.string(), at: timestamp, until, reason: z.string() })
export type NoteSuspension = z.infer<typeof noteSuspension>
export const noteSuspensions = z.object({ suspensions: z.array(noteSuspension) })

export const auditPageSize = 50
/** Everything that is written down. */
export const auditActions = [
  'role',
  'decision',
  'suspension',
  'quota',
  'settings',
  'invitation',
  'two-factor-off',
] as const
export type AuditAction = (typeof auditActions)[number]
const auditEntry = z.object({
  number: count,
  at: timestamp,
  /** Null: whoever has the command line. Name and e-mail are missing where the account is gone. */
  actor: z.nullable(z.object({ _id: id, name: z.optional(z.string()), email: z.optional(z.string()) })),
  action: z.enum(auditActions),
  /**
   * What it was done to, with the name of the account or the title of the note, where there still is one. An e-mail is
   * that of the account it was done to: of a note nobody's is told.
   */
  subject: z.nullable(z.object({ _id: id, text: z.optional(z.string()), email: z.optional(z.string()) })),
  details: z.record(z.string(), z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>
export const auditPage = z.object({ entries: z.array(auditEntry), hasMore: z.boolean() })
export type AuditPage = z.infer<typeof auditPage>
