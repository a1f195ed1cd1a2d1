import * as z from 'zod/mini'
import { email } from './accounts.ts'
import { announcement, announcementLength } from './announcements.ts'
import { cleanLine } from './clean-text.ts'
import { count, id, messages, multiLineText, placeAfter, timestamp } from './fields.ts'
import { dailyUploadLimit } from './members.ts'

/**
 * Who may register: everyone, users with an email of certain domains, or invited users. An invitation works in every
 * mode.
 */
export const registrationModes = ['open', 'domains', 'invited'] as const
export type RegistrationMode = (typeof registrationModes)[number]

export const domainsMax = 50
export const announcementDays = { max: 365 } as const

export const instanceSettingsMessages = {
  mode: `Registration must be one of ${registrationModes.join(', ')}.`,
  domains: 'Enter at least one domain, such as uni.example.',
  domain: 'Enter domains like uni.example. Write non-ASCII names in their xn-- form.',
  manyDomains: `Enter at most ${domainsMax} domains.`,
  announcement: 'Enter a message.',
  announcementDays: `An announcement is shown for 1 to ${announcementDays.max} days.`,
} as const

const domain = z.string({ error: instanceSettingsMessages.domain }).check(
  z.overwrite(cleanLine),
  z.toLowerCase(),
  z.overwrite((typed) => typed.replace(/^@/, '')),
)
const domainShape = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/
const isDomain = (text: string) => text.length <= 253 && domainShape.test(text)
/** An invalid domain is reported for the whole list, because the form has a single field for it. */
const domains = z.array(domain, { error: instanceSettingsMessages.domains }).check(
  z.maxLength(domainsMax, { error: instanceSettingsMessages.manyDomains }),
  z.refine((all) => all.every(isDomain), { error: instanceSettingsMessages.domain }),
)

/** The policy for the registration page. `domains` is empty unless the mode is `domains`. */
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
/** The form input: domains separated by commas or spaces, which are ignored in other modes. */
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

/** The form input. */
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
  /** Null means the configured limit, which is also the maximum. */
  dailyUploadMb: z.nullable(count),
  maxDailyUploadMb: count,
  /** Of the server that answers, such as `1.0.0`. */
  version: z.string(),
})
export type InstanceSettings = z.infer<typeof instanceSettings>

/** Missing fields stay unchanged. */
export const instanceSettingsUpdate = z.object({
  registration: z.optional(newPolicy),
  announcement: z.optional(z.nullable(newAnnouncement)),
  dailyUploadMb: z.optional(dailyUploadLimit),
})
export type InstanceSettingsUpdate = z.infer<typeof instanceSettingsUpdate>

export const invitationDays = 14
export const newInvitation = z.object({
  /** Where to send the invitation. Without it the admin passes on the link. */
  email: z.optional(email(messages.invalidEmail)),
})
/** The form input; an empty email requests a link. */
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
export const invitationPageSize = 50
/**
 * `after` describes the last invitation held: whether it is open, when it was created and its id, separated by commas.
 */
export const invitationsQuery = z.object({
  after: placeAfter(z.tuple([z.enum(['waiting', 'used']), timestamp, id])),
})
/** Open invitations come before used ones; the latest first. */
export const invitations = z.object({ invitations: z.array(invitation), hasMore: z.boolean() })
export type Invitations = z.infer<typeof invitations>
/** The token is returned only once, and only if no mail was sent. */
export const createdInvitation = z.object({ token: z.nullable(z.string()) })
export const invitationParams = z.object({ id })
