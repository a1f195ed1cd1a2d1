import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type {
  Credentials,
  PasswordReset,
  Registration,
  VerificationWithPassword,
} from '../../../packages/contract/accounts.ts'
import { errorMessage } from '../../../packages/contract/errors.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { deriveSecret, hashToken } from '../../platform/db/secret.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fail } from '../../platform/http/api-error.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { getRegistrationPolicy, isOpenTo } from '../administration/instance-settings/instance-settings.ts'
import { consumeInvitation, findInvitation } from '../administration/invitations/invitations.ts'
import { isCommonPassword, ownWords } from '../auth/passwords/common-passwords.ts'
import { saltOf } from '../auth/passwords/hasher.ts'
import { endSessionsOfUser } from '../auth/sessions/revoke-access.ts'
import * as queries from './accounts.queries.ts'
import { sendAlert } from './security-alerts/send-alert.ts'
import { cancelEmailChange, createUser, findUser, lockUser, savePassword } from './users/users.ts'

const accountMailPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verification'), registrationId: z.uuid() }),
  z.object({ kind: z.literal('account-exists'), userId: z.uuid() }),
  z.object({ kind: z.literal('password-reset'), userId: z.uuid() }),
  z.object({ kind: z.literal('no-account'), email: z.string() }),
])
type AccountMail = z.infer<typeof accountMailPayload>

/** Concurrent delivery keeps one mail server that never answers from delaying the mails to all others. */
export const accountMailJob = defineJob('account-mail', accountMailPayload, { concurrency: 4 })

export const verificationTtlSeconds = 24 * 3600
export const resetTtlSeconds = 3600

type AccountDeps = Pick<Deps, 'db' | 'jobs' | 'passwords' | 'rateLimits' | 'secret'>

/**
 * Limits the mails of a kind per mailbox. Past the limit the responses stay the same, and the newest link of the kind
 * gets its full lifetime again: a stranger who uses the limit up must not lock the owner out.
 */
export const mailsPerAddressLimit = (kind: 'registration' | 'reset' | 'email-change') => ({
  name: `mailbox-${kind}`,
  points: 3,
  seconds: 3600,
})

/**
 * Responds the same, in the same time, whether or not the email has an account: only the mailbox gets the truth.
 * Repeating the password of a pending registration renews it, so that users do not become their own rivals.
 * @throws common_password, registration_not_open, email_domain, invitation_invalid
 */
export async function register(deps: AccountDeps, { name, email, password, invitation }: Registration): Promise<void> {
  await assertPasswordNotCommon(password, { name, email })
  const invitationId = await assertMayRegister(deps.db, email, invitation)
  // All registrations of an address share a salt, so that equal passwords give equal hashes.
  const salted = saltOf(deriveSecret(deps.secret, `registration ${email}`))
  const passwordHash = await deps.passwords.hash(password, salted)
  const mayMail = await deps.rateLimits.tryConsume(mailsPerAddressLimit('registration'), email)
  await inTransaction(deps.db, async (tx) => {
    if (!mayMail) await queries.renewVerificationToken(tx, email, verificationTtlSeconds)
    const account = await findUser(tx, { email })
    if (account) {
      // Inserts a placeholder row, which the sweep deletes; without it, the response time would reveal the account.
      await queries.saveRegistration(tx, { name: '', email: '', passwordHash: '', invitationId })
      if (mayMail) await deps.jobs.enqueue(tx, accountMailJob, { kind: 'account-exists', userId: account.id })
      return
    }
    const registrationId = await queries.saveRegistration(tx, { name, email, passwordHash, invitationId })
    if (mayMail) await deps.jobs.enqueue(tx, accountMailJob, { kind: 'verification', registrationId })
  })
}

/**
 * Depends on the address alone, whether or not it has an account. A registered user may still verify after the policy
 * has changed. An invalid invitation does not matter where the policy requires none.
 * @returns the invitation to consume when the account is created.
 * @throws registration_not_open, email_domain, invitation_invalid
 */
async function assertMayRegister(db: Db, email: string, invitation: string | undefined): Promise<string | null> {
  const invitationId = invitation === undefined ? null : await findInvitation(db, invitation)
  if (invitationId !== null) return invitationId
  const policy = await getRegistrationPolicy(db)
  if (isOpenTo(policy, email)) return null
  if (invitation !== undefined) fail('invitation_invalid')
  if (policy.mode === 'invited') fail('registration_not_open')
  const message = errorMessage('email_domain', { domains: policy.domains.join(', ') })
  return fail('email_domain', { fields: { email: message } })
}

/** Mails the link again if the password matches a pending registration. The response is the same in every case. */
export async function resendVerification(deps: AccountDeps, { email, password }: Credentials): Promise<void> {
  const waiting = await queries.findPendingRegistrations(deps.db, email)
  const passwordHash = await deps.passwords.find(
    password,
    waiting.map((one) => one.passwordHash),
  )
  const registration = waiting.find((one) => one.passwordHash === passwordHash)
  if (!registration) return
  if (!(await deps.rateLimits.tryConsume(mailsPerAddressLimit('registration'), email))) {
    return queries.renewVerificationToken(deps.db, email, verificationTtlSeconds)
  }
  await deps.jobs.enqueue(deps.db, accountMailJob, { kind: 'verification', registrationId: registration.id })
}

/**
 * Creates the account of the only registration of an address, with its password. A click proves only the mailbox: with
 * rival registrations, any link may be a stranger's, and so may its password. A used link succeeds again, because mail
 * scanners and double clicks repeat it.
 * @throws verification_link_invalid, verification_link_expired, password_needed, invitation_invalid
 */
export async function verifyEmail({ db }: AccountDeps, token: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const registration = await getUsableRegistration(tx, token)
    if (registration.userId !== null) return
    if (registration.hasDuplicates) fail('password_needed')
    await createAccount(tx, registration)
  })
}

/**
 * Creates the account with the name and password chosen by the owner of the mailbox, whatever its registrations
 * contain. All of them are deleted, also those that began after the click.
 * @throws common_password, verification_link_invalid, verification_link_expired, invitation_invalid
 */
export async function verifyEmailWithPassword(deps: AccountDeps, chosen: VerificationWithPassword): Promise<void> {
  // Hashing a password is expensive, so it is done only for a valid token.
  const { email, userId } = await inTransaction(deps.db, (tx) => getUsableRegistration(tx, chosen.token))
  if (userId !== null) return
  await assertPasswordNotCommon(chosen.password, { name: chosen.name, email })
  const passwordHash = await deps.passwords.hash(chosen.password)
  await inTransaction(deps.db, async (tx) => {
    const registration = await getUsableRegistration(tx, chosen.token)
    if (registration.userId === null) await createAccount(tx, { ...registration, name: chosen.name, passwordHash })
  })
}

async function getUsableRegistration(tx: Tx, token: string): Promise<queries.LockedRegistration> {
  const registration = await queries.lockRegistrationOfToken(tx, hashToken(token))
  if (!registration) fail('verification_link_invalid')
  if (registration.userId === null && registration.isExpired) fail('verification_link_expired')
  return registration
}

async function createAccount(tx: Tx, registration: queries.LockedRegistration): Promise<void> {
  const userId = await createUser(tx, registration)
  if (userId === null) fail('verification_link_invalid')
  const { invitationId, email } = registration
  if (invitationId !== null && !(await consumeInvitation(tx, invitationId))) {
    if (!isOpenTo(await getRegistrationPolicy(tx), email)) fail('invitation_invalid')
  }
  await queries.completeRegistration(tx, registration.id, email, userId)
}

export async function requestReset(deps: AccountDeps, email: string): Promise<void> {
  const { rateLimits } = deps
  const mayMail = await rateLimits.tryConsume(mailsPerAddressLimit('reset'), email)
  await inTransaction(deps.db, async (tx) => {
    if (!mayMail) await queries.renewResetToken(tx, email, resetTtlSeconds)
    const found = await findUser(tx, { email })
    const account = found?.isDeletionDue ? null : found
    const mail: AccountMail = account ? { kind: 'password-reset', userId: account.id } : { kind: 'no-account', email }
    if (mayMail) await deps.jobs.enqueue(tx, accountMailJob, mail)
  })
}

/**
 * Sets the password and ends every session of the user. Of parallel attempts with one token, only one succeeds.
 * @throws common_password, reset_link_invalid
 */
export async function resetPassword(deps: AccountDeps, { token, password }: PasswordReset): Promise<void> {
  const tokenHash = hashToken(token)
  // Hashing a password is expensive, so it is done only for a token that may be valid.
  const ownerId = (await queries.findUserOfResetToken(deps.db, tokenHash)) ?? fail('reset_link_invalid')
  const owner = await findUser(deps.db, { id: ownerId })
  if (!owner || owner.isDeletionDue) fail('reset_link_invalid')
  await assertPasswordNotCommon(password, owner)
  const passwordHash = await deps.passwords.hash(password)
  await inTransaction(deps.db, async (tx) => {
    await lockUser(tx, ownerId)
    const userId = (await queries.consumeResetToken(tx, tokenHash)) ?? fail('reset_link_invalid')
    await savePassword(tx, userId, passwordHash)
    await queries.deleteResetTokens(tx, userId)
    await cancelEmailChange(tx, userId)
    await endSessionsOfUser(tx, userId)
    await sendAlert(deps.jobs, tx, userId, 'password-changed')
  })
}

/** For a user who has just proved to own the mailbox. @returns the token of a link that need not be mailed. */
export async function createResetToken(tx: Tx, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await queries.replaceResetToken(tx, userId, hashToken(token), resetTtlSeconds)
  return token
}

/** @throws common_password */
export async function assertPasswordNotCommon(password: string, whose: { name: string; email: string }): Promise<void> {
  if (!(await isCommonPassword(password, ownWords(whose)))) return
  fail('common_password', { fields: { password: errorMessage('common_password') } })
}
