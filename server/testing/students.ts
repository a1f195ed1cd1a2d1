import type { LightMyRequestResponse } from 'fastify'
import { suspendMember } from '../features/moderation/suspensions/suspensions.ts'
import { createUser, type TestApp, type TestUser, password as usualPassword } from './app.ts'
import { tokenOf, waitForMail } from './mails.ts'
import { expectStatus } from './refusal.ts'

const call =
  (method: 'POST' | 'PATCH') =>
  ({ app }: Pick<TestApp, 'app'>, url: string, payload?: object, headers: Record<string, string | undefined> = {}) =>
    app.inject({ method, url, headers, ...(payload && { payload }) })

/** Sends one request like a student's browser, with optional headers such as `origin`. */
export const post = call('POST')
export const patch = call('PATCH')

export const get = ({ app }: Pick<TestApp, 'app'>, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers })

export const remove = ({ app }: Pick<TestApp, 'app'>, url: string, headers: Record<string, string>) =>
  app.inject({ method: 'DELETE', url, headers })

/** Likes or dislikes a note, or removes the rating. */
export const rate = (test: Pick<TestApp, 'app'>, { auth }: Pick<TestUser, 'auth'>, noteId: string, change: object) =>
  patch(test, `/api/notes/${noteId}/rating`, change, auth)

let addresses = 0
/** Returns an address that no other test of the file has. */
export const newEmail = (): string => `student${++addresses}@uni.example`

/** Registers through the form and waits for the `count`th mail to this address. @returns the link's token. */
export async function register(test: TestApp, email: string, password = usualPassword, count = 1): Promise<string> {
  await post(test, '/api/users/', { name: 'Grace Hopper', email, password, confirmPassword: password })
  return tokenOf(await waitForMail(test, email, count))
}

export const logIn = (test: Pick<TestApp, 'app'>, email: string, password = usualPassword) =>
  post(test, '/api/users/login', { email, password })

/** Requests a reset and waits for the `count`th mail to this address. @returns the link's token. */
export async function requestReset(test: TestApp, email: string, count = 1): Promise<string> {
  await post(test, '/api/users/forgot-password', { email })
  return tokenOf(await waitForMail(test, email, count))
}

/** Chooses a password with the token of a reset link. */
export const resetPassword = (test: Pick<TestApp, 'app'>, token: unknown, password: string) =>
  post(test, '/api/users/reset-password', { token, password, confirmPassword: password })

/** Makes a note of this user anonymous. */
export const makeAnonymous = (test: Pick<TestApp, 'app'>, { auth }: Pick<TestUser, 'auth'>, noteId: string) =>
  expectStatus(200, patch(test, `/api/users/me/notes/${noteId}/details`, { isAnonymous: true }, auth))

export const changePassword = (
  test: Pick<TestApp, 'app'>,
  { auth }: Pick<TestUser, 'auth'>,
  password: string,
  currentPassword = usualPassword,
) => post(test, '/api/users/me/password', { currentPassword, password, confirmPassword: password }, auth)

export const getMe = ({ app }: Pick<TestApp, 'app'>, headers: { authorization: string }) =>
  app.inject({ url: '/api/users/me', headers })

export const countSessions = async ({ deps }: Pick<TestApp, 'deps'>, { id }: Pick<TestUser, 'id'>) =>
  (await deps.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).length

/** Returns the refresh cookie of a response as a request header. */
export function cookieOf(response: LightMyRequestResponse): { cookie: string } {
  const cookie = response.cookies.find(({ name }) => name.endsWith('lectern-refresh'))
  if (!cookie) throw new Error('The answer sets no refresh cookie')
  return { cookie: `${cookie.name}=${cookie.value}` }
}

/** Returns the access token of a response as a request header. */
export const accessOf = (response: LightMyRequestResponse): { authorization: string } => ({
  authorization: `Bearer ${response.json().accessToken}`,
})

/** Creates a suspended user, with the session of a login during the suspension. */
export async function createSuspendedUser(test: TestApp, given: { name?: string; email?: string } = {}) {
  const user = await createUser(test, given)
  await suspendMember(test.deps, null, user.id, { days: null, reason: 'Sold exams.', hidesNotes: false })
  return { ...user, auth: accessOf(await logIn(test, user.email)) }
}
