import * as z from 'zod/mini'
import { count, id, multiLineText, optionalSingleLineText, timestamp } from './fields.ts'
import { emailLength } from './limits.ts'
import { moderationMessages, statementLength } from './moderation-limits.ts'
import { roles } from './roles.ts'

/** `text` is a part of a name or an email. `after` is the email of the last user held. */
export const membersQuery = z.object({
  text: optionalSingleLineText(emailLength.max),
  after: optionalSingleLineText(emailLength.max),
})
export type MembersQuery = z.infer<typeof membersQuery>
export const memberParams = z.object({ id })

/** The end of a suspension; null if it must be lifted by hand. */
const until = z.nullable(timestamp)
const suspension = z.object({ at: timestamp, until, reason: z.string(), hidesNotes: z.boolean() })

/** A user as admins see it: without notes, and without suspensions as the author of an anonymous note. */
const member = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  suspension: z.optional(suspension),
  /** The user's own upload quota per 24 hours, if it differs from the general one. */
  dailyUploadMb: z.optional(count),
})
export type Member = z.infer<typeof member>
export const memberPageSize = 50
export const memberList = z.object({ members: z.array(member), hasMore: z.boolean() })
export type MemberList = z.infer<typeof memberList>

export const roleChange = z.object({ role: z.enum(roles) })
export const uploadQuotaMax = 1_000_000
export const notMegabytes = (max: number) => `Enter a whole number from 1 to ${max}, or leave this empty.`
const limit = { error: `A limit is a whole number of MB from 1 to ${uploadQuotaMax}, or null.` }
export const dailyUploadLimit = z.nullable(z.int(limit).check(z.gte(1, limit), z.lte(uploadQuotaMax, limit)))
/** Null means the general quota. */
export const quotaChange = z.object({ dailyUploadMb: dailyUploadLimit })
/** The form input; empty means the general quota. @param max the configured limit. */
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
  /** Null means until it is lifted. */
  days: z.nullable(z.int().check(z.gte(1), z.lte(suspensionDays.max))),
  reason: multiLineText(statementLength.max, moderationMessages.statement),
}
export const newNoteSuspension = z.object(suspensionTerms)
export type NewNoteSuspension = z.infer<typeof newNoteSuspension>
/** The form input; empty days mean until it is lifted. */
export const suspensionForm = z.pipe(
  z.pipe(
    z.object({ days: z.string(), reason: z.string() }),
    z.transform(({ days, reason }) => ({ days: days === '' ? null : Number(days), reason })),
  ),
  newNoteSuspension,
)
/** `hidesNotes` hides only notes with the author's name, never anonymous ones. */
export const newSuspension = z.object({ ...suspensionTerms, hidesNotes: z.boolean() })
export type NewSuspension = z.infer<typeof newSuspension>

/** A suspension of the author of an anonymous note, which reveals nothing about the account. */
const noteSuspension = z.object({ noteId: id, title: z.string(), at: timestamp, until, reason: z.string() })
export type NoteSuspension = z.infer<typeof noteSuspension>
export const noteSuspensions = z.object({ suspensions: z.array(noteSuspension) })

export const auditPageSize = 50
/** Every action in the audit log. */
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
  /** Null is the operator at the command line. Name and email are missing if the account was deleted. */
  actor: z.nullable(z.object({ _id: id, name: z.optional(z.string()), email: z.optional(z.string()) })),
  action: z.enum(auditActions),
  /**
   * The target of the action, with the name of the user or the title of the note if it still exists. The email is that
   * of a target user; for a note none is given, because it would reveal the author.
   */
  subject: z.nullable(z.object({ _id: id, text: z.optional(z.string()), email: z.optional(z.string()) })),
  details: z.record(z.string(), z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>
export const auditPage = z.object({ entries: z.array(auditEntry), hasMore: z.boolean() })
export type AuditPage = z.infer<typeof auditPage>
