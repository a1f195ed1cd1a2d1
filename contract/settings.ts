import * as z from 'zod/mini'
import { checkNewPassword, name, newPassword, token, typedPassword } from './accounts.ts'
import { messages } from './fields.ts'

export const settingsMessages = {
  passwordChanged: 'Your password was changed. Every other device was logged out.',
} as const

/** The password one has, asked for again before what only its owner may do. */
const currentPassword = { currentPassword: typedPassword }

export const nameChange = z.object({ name }, { error: messages.fillAllFields })

export const passwordChange = z
  .object({ ...currentPassword, ...newPassword }, { error: messages.fillAllFields })
  .check(z.superRefine(checkNewPassword))
export type PasswordChange = z.infer<typeof passwordChange>

export const disowning = z.catch(z.object({ token }), { token: '' })
/** What the reset of the password is asked for with. */
export const disowned = z.object({ resetToken: z.string() })
