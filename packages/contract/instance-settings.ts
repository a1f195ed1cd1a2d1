import * as z from 'zod/mini'
import { email } from './accounts.ts'
import { announcement, announcementLength } from './announcements.ts'
import { cleanLine } from './clean-text.ts'
import { count, id, messages, multiLineText, placeAfter, timestamp } from './fields.ts'
import { dailyUploadLimit } from './members.ts'

/** Who may register: everybody, who has an e-mail of certain domains, or who is invited. An invitation counts in all. */
export const registrationModes = ['open', 'domains', 'invited'] as const
export type RegistrationMode = (typeof registrationModes)[number]

export const domainsMax = 50
export const announcementDays = { max: 365 } as const

export const instanceSettingsMessages = {
  mode: `Who may register is one of ${registrationModes.join(', ')}.`,
  domains: 'Please name at least one domain, such as uni.example.',
  domain: 'A domain looks like uni.example. One with letters such as ü is written as xn--…',
  manyDomains: `Please name at most ${domainsMax} domains.`,
  announcement: 'Please write what you want to say.',
  announcementDays: `An announcement is shown for 1 to ${announcementDays.max} days.`,
} as const

const domain = z.string({ error: instanceSettingsMessages.domain }).check(
  z.overwrite(cleanLine),
  z.toLowerCase(),
  z.overwrite((typed) => typed.replace(/^@/, '')),
)
const domainShape = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/
const isDomain = (text: string) => text.length <= 253 && domainShape.test(text)
/** What is wrong with one of them is said of the list, which a form has as one field. */
const domains = z.array(domain, { error: instanceSettingsMessages.domains }).check(
  z.maxLength(domainsMax, { error: instanceSettingsMessages.manyDomains }),
  z.refine((all) => all.every(isDomain), { error: instanceSettingsMessages.domain }),
)

/** As the page to register tells. `domains` is empty but where they decide. */
export const registrationPolicy = z.object({ mode: z.enum(registrationModes), domains: z.array(z.string()) })
export type RegistrationPolicy = z.infer<typeof registrationPolicy>
const newPolicy = z
  .object({ mode: z.enum(registrationModes, { error: instanceSettingsMessages.mode }), domains })
  .check(
    z.refine(({ mode, domains }) => mode !== 'domains' || domains.length > 0, {
      path: ['domains'],
      error: instanceSettingsMessages.domains,
    }),
  )
/** As it is typed: domains with commas or blanks between them, which count where they decide. */
export const registrationForm = z.pipe(
  z.pipe(
    z.object({ mode: z.enum(registrationModes), domains: z.string() }),
    z.transform(({ mode, domains: typed }) => ({
      mode,
      domains: mode === 'domains' ? typed.split(/[\s,;]+/).filter(Boolean) : [],
    })),
  ),
  newPolicy,
)

const days = { error: instanceSettingsMessages.announcementDays }
const newAnnouncement = z.object({
  text: multiLineText(announcementLength.max, instanceSettingsMessages.announcement),
  days: z.int(days).check(z.gte(1, days), z.lte(announcementDays.max, days)),
})

/** As it is typed. */
export const announcementForm = z.pipe(
  z.pipe(
    z.object({ text: z.string(), days: z.string() }),
    z.transform((typed) => ({ ...typed, days: Number(typed.days) })),
  ),
  newAnnouncement,
)

export const instanceSettings = z.object({
  registration: registrationPolicy,
  announcement: z.nullable(z.extend(announcement, { until: timestamp })),
  /** Null: as the environment says, which is the most. */
  dailyUploadMb: z.nullable(count),
  maxDailyUploadMb: count,
})
export type InstanceSettings = z.infer<typeof instanceSettings>

/** What is left out stays as it is. */
export const instanceSettingsUpdate = z.object({
  registration: z.optional(newPolicy),
  announcement: z.optional(z.nullable(newAnnouncement)),
  dailyUploadMb: z.optional(dailyUploadLimit),
})
export type InstanceSettingsUpdate = z.infer<typeof instanceSettingsUpdate>

export const invitationDays = 14
export const newInvitation = z.object({
  /** Whom to mail it. Without it the admin passes the link on. */
  email: z.optional(email(messages.invalidEmail)),
})
/** As it is typed: nothing asks for a link. */
export const invitationForm = z.pipe(
  z.pipe(
    z.object({ email: z.string() }),
    z.transform(({ email: typed }) => (typed.trim() === '' ? {} : { email: typed })),
  ),
  newInvitation,
)
export const invitation = z.object({
  _id: id,
  email: z.nullable(z.string()),
  createdAt: timestamp,
  expiresAt: timestamp,
  usedAt: z.nullable(timestamp),
})
export type Invitation = z.infer<typeof invitation>
export const invitationsShown = 50
/** `after`: whether the last one held waits, when it was made and its id, separated by commas. */
export const invitationsQuery = z.object({
  after: placeAfter(z.tuple([z.enum(['waiting', 'used']), timestamp, id])),
})
/** Those that wait come before those that were used; the latest first. */
export const invitations = z.object({ invitations: z.array(invitation), hasMore: z.boolean() })
export type Invitations = z.infer<typeof invitations>
/** The token is told once, and only where nobody is mailed. */
export const createdInvitation = z.object({ token: z.nullable(z.string()) })
export const invitationParams = z.object({ id })
