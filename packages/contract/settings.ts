import * as z from 'zod/mini'
import { checkNewPassword, currentPassword, email, newPassword } from './accounts.ts'
import { count, id, messages, name, timestamp } from './fields.ts'

export const settingsMessages = {
  ownEmail: 'That’s already your email.',
  emailAsked: 'We sent a link to your new address. Open it to confirm the change.',
  emailChanged: 'Email changed. Use it the next time you log in.',
  passwordChanged: 'Password changed. Your other devices were logged out.',
} as const

export const nameChange = z.object({ name }, { error: messages.fillAllFields })

export const passwordChange = z
  .object({ ...currentPassword, ...newPassword }, { error: messages.fillAllFields })
  .check(z.superRefine(checkNewPassword))
export type PasswordChange = z.infer<typeof passwordChange>

export const emailChange = z.object(
  { email: email(messages.fillAllFields), ...currentPassword },
  { error: messages.fillAllFields },
)
/** The new address until its link is used, and whether mails to the current one are rejected. */
export const emailState = z.object({
  pending: z.nullable(z.object({ email: z.string(), expiresAt: timestamp })),
  isRefused: z.boolean(),
})

/** The token for resetting the password. */
export const secureAccountResponse = z.object({ resetToken: z.string() })

export const ownSession = z.object({
  _id: id,
  /** For example `Firefox on Windows`; null if the device is unknown. */
  device: z.nullable(z.string()),
  startedAt: timestamp,
  /** Exact to ten minutes, the lifetime of an access token. */
  lastUsedAt: timestamp,
  isCurrent: z.boolean(),
})
export type OwnSession = z.infer<typeof ownSession>
export const ownSessions = z.object({ sessions: z.array(ownSession) })
export const sessionParams = z.object({ id })

export const notesChoices = ['keep', 'remove', 'remove-now'] as const
export type NotesOnDeletion = (typeof notesChoices)[number]
/**
 * `keep`: the notes stay as anonymous ones. `remove`: named notes are deleted with the account, anonymous ones one by
 * one over thirty days. `remove-now`: all are deleted with the account, which reveals that they had one author.
 */
const notes = z.enum(notesChoices)

export const accountDeletionInput = z.object({ ...currentPassword, notes }, { error: messages.fillAllFields })
export const accountDeletion = z.object({ at: timestamp, notes })
export type AccountDeletion = z.infer<typeof accountDeletion>
/** `isOnlyAdmin` means that no admin would be left. */
export const accountDeletionResponse = z.object({ leaving: z.nullable(accountDeletion), isOnlyAdmin: z.boolean() })
export type AccountDeletionResponse = z.infer<typeof accountDeletionResponse>

/** `ready` is null while the export is being made. */
export const exportFile = z.object({
  askedAt: timestamp,
  /** `link` works for ten minutes while the session lasts. It needs no login, so that the browser can save the file. */
  ready: z.nullable(z.object({ bytes: count, expiresAt: timestamp, link: z.string() })),
})
export type Export = z.infer<typeof exportFile>
export const exportQuery = z.object({ link: z.optional(z.string()) })
export const exportResponse = z.object({ export: z.nullable(exportFile) })
