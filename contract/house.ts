import * as z from 'zod/mini'
import { email } from './accounts.ts'
import { announcement, announcementLength } from './announcements.ts'
import { count, id, messages, text, timestamp } from './fields.ts'
import { uploadQuotaMax } from './members.ts'

/** Who may register: everybody, who has an e-mail of certain domains, or who is invited. An invitation counts in all. */
export const registrationModes = ['open', 'domains', 'invited'] as const
export type RegistrationMode = (typeof registrationModes)[number]

export const houseMessages = {
  domains: 'Please name at least one domain, such as uni.example.',
  domain: 'A domain looks like uni.example.',
  announcement: 'Please write what you want to say.',
} as const

export const domainsMax = 50
const domain = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.overwrite((typed) => typed.replace(/^@/, '')),
  z.maxLength(253, { error: houseMessages.domain }),
  z.regex(/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/, { error: houseMessages.domain }),
)

/** As the page to register tells. `domains` is empty but where they decide. */
export const registrationPolicy = z.object({ mode: z.enum(registrationModes), domains: z.array(z.string()) })
export type RegistrationPolicy = z.infer<typeof registrationPolicy>
const newPolicy = z
  .object({ mode: z.enum(registrationModes), domains: z.array(domain).check(z.maxLength(domainsMax)) })
  .check(
    z.refine(({ mode, domains }) => mode !== 'domains' || domains.length > 0, {
      path: ['domains'],
      error: houseMessages.domains,
    }),
  )

export const announcementDays = { max: 365 } as const
const newAnnouncement = z.object({
  text: text(announcementLength.max, houseMessages.announcement),
  days: z.int().check(z.gte(1), z.lte(announcementDays.max)),
})

export const houseSettings = z.object({
  registration: registrationPolicy,
  announcement: z.nullable(z.extend(announcement, { until: timestamp })),
  /** Null: as the environment says, which is the most. */
  dailyUploadMb: z.nullable(count),
  maxDailyUploadMb: count,
})
export type HouseSettings = z.infer<typeof houseSettings>

/** What is left out stays as it is. */
export const houseChange = z.object({
  registration: z.optional(newPolicy),
  announcement: z.optional(z.nullable(newAnnouncement)),
  dailyUploadMb: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(uploadQuotaMax)))),
})
export type HouseChange = z.infer<typeof houseChange>

export const invitationDays = 14
/** Those that wait, and some that were used or are too old. */
export const invitationsShown = 50
export const newInvitation = z.object({
  /** Whom to mail it. Without it the admin passes the link on. */
  email: z.optional(email(messages.invalidEmail)),
})
export const invitation = z.object({
  _id: id,
  email: z.nullable(z.string()),
  createdAt: timestamp,
  expiresAt: timestamp,
  usedAt: z.nullable(timestamp),
})
export type Invitation = z.infer<typeof invitation>
export const invitations = z.object({ invitations: z.array(invitation) })
/** The token is told once, and only where nobody is mailed. */
export const invited = z.object({ token: z.nullable(z.string()) })
export const invitationParams = z.object({ id })
