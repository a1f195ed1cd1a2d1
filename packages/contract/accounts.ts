import * as z from 'zod/mini'
import { cleanLine, countCharacters } from './clean-text.ts'
import { messages, name, tooLong } from './fields.ts'
import { emailLength, passwordLength } from './limits.ts'
import { isStrongPassword } from './password-rules.ts'

export const accountMessages = {
  passwordsDiffer: 'Passwords do not match',
  weakPassword: `Password must be at least ${passwordLength.min} characters long and contain at least one uppercase letter, one lowercase letter, one number, and one special character.`,
  emailRequired: 'Please enter your email.',
  registered:
    'Registration successful! A verification link has been sent to your email. Please check your inbox to activate your account.',
  resetRequested: 'If this email is registered, a reset link has been sent.',
  passwordReset: 'Password reset successful!',
  verificationResent: 'If this account isn’t verified yet, a new link has been sent.',
  emailVerified: 'Email verified. You can log in now.',
} as const

/** Normalises an email wherever it is typed (SPEC.md section 5). */
export const foldEmail = (typed: string): string => cleanLine(typed).toLowerCase()

const emailInput = (required: string) =>
  z.string({ error: required }).check(
    // Cleaning takes time for every character, and removes few.
    z.maxLength(8 * emailLength.max, { error: messages.invalidEmail, abort: true }),
    z.overwrite(foldEmail),
    z.minLength(1, { error: required, abort: true }),
  )

export const email = (required: string) =>
  z.pipe(
    emailInput(required).check(z.maxLength(emailLength.max, { error: messages.invalidEmail })),
    z.email({ error: messages.invalidEmail }),
  )

/** A password from a form: trimmed and normalised, so that every Unicode form gives the same password. */
export const passwordInput = z.string({ error: messages.fillAllFields }).check(
  z.trim(),
  z.minLength(1, { error: messages.fillAllFields, abort: true }),
  // A longer text cannot shrink to the maximum. Normalising takes quadratic time: 30,000 combining marks keep a server
  // busy for seconds.
  z.maxLength(8 * passwordLength.max, { error: tooLong(passwordLength.max), abort: true }),
  z.normalize('NFC'),
)

/** The current password, required again before actions that only the owner may do. */
export const currentPassword = { currentPassword: passwordInput }
/** Only the password, for actions without other input. */
export const passwordConfirmation = z.object(currentPassword, { error: messages.fillAllFields })

export const newPassword = { password: passwordInput, confirmPassword: passwordInput }

export function checkNewPassword(input: { password: string; confirmPassword: string }, ctx: z.core.$RefinementCtx) {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
  if (input.password !== input.confirmPassword) refuse('confirmPassword', accountMessages.passwordsDiffer)
  // Both problems are reported together, so that the user can correct both in one attempt.
  if (countCharacters(input.password) > passwordLength.max) refuse('password', tooLong(passwordLength.max))
  else if (!isStrongPassword(input.password)) refuse('password', accountMessages.weakPassword)
}

export const registration = z
  .object(
    {
      name,
      email: email(messages.fillAllFields),
      ...newPassword,
      /** The token from the link of an invitation. */
      invitation: z.optional(z.string().check(z.maxLength(200))),
    },
    { error: messages.fillAllFields },
  )
  .check(z.superRefine(checkNewPassword))
export type Registration = z.infer<typeof registration>

export const resetRequest = z.object(
  { email: email(accountMessages.emailRequired) },
  { error: accountMessages.emailRequired },
)

/** The token of a mailed link: 32 random bytes in base64url. A token of another form is treated as unknown. */
export const token = z.catch(z.string().check(z.maxLength(200)), '')

export const passwordReset = z
  .object({ token, ...newPassword }, { error: messages.fillAllFields })
  .check(z.superRefine(checkNewPassword))
export type PasswordReset = z.infer<typeof passwordReset>

/** What the page of a mailed link sends. */
export const linkToken = z.catch(z.object({ token }), { token: '' })

/** Verifies an address with several registrations (`password_needed`); the passwords typed in them are void. */
export const verificationWithPassword = z
  .object({ token, name, ...newPassword }, { error: messages.fillAllFields })
  .check(z.superRefine(checkNewPassword))
export type VerificationWithPassword = z.infer<typeof verificationWithPassword>

/** The email is not validated, because an invalid address is simply unknown. */
export const credentials = z.object(
  {
    email: emailInput(messages.fillAllFields).check(z.maxLength(emailLength.max, { error: messages.invalidEmail })),
    password: passwordInput,
  },
  { error: messages.fillAllFields },
)
export type Credentials = z.infer<typeof credentials>

export const message = z.object({ message: z.string() })
