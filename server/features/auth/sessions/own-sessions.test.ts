import { sql } from 'kysely'
import { expect } from 'vitest'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createUser, itWithUsers, openTestApp, password, type TestUser } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, cookieOf, getMe, post } from '../../../testing/students.ts'
import { insertSession } from './sessions.queries.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const logInWith = (email: string, userAgent: string) =>
  post(test, '/api/users/login', { email, password }, { 'user-agent': userAgent })
const list = async (headers: { authorization: string }) =>
  (await test.app.inject({ url: '/api/users/me/sessions', headers })).json().sessions
const idsOf = async (headers: { authorization: string }) => (await list(headers)).map(({ _id }: { _id: string }) => _id)
const endOne = (headers: { authorization: string }, id: string, currentPassword: unknown = password) =>
  post(test, `/api/users/me/sessions/${id}/end`, { currentPassword }, headers)
const endOthers = ({ auth }: TestUser, currentPassword: unknown = password) =>
  post(test, '/api/users/me/sessions/end-others', { currentPassword }, auth)

it('GET /api/users/me/sessions lists one’s living sessions with their devices, this one first', async ({ user }) => {
  await createUser(test)
  const login = await logInWith(user.email, firefox)
  await logInWith(user.email, 'curl/8.5.0 <b>evil</b>')
  const expired = await createSession(user)
  await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = ${expired}`.execute(db)

  const sessions = await list(user.auth)
  expect(sessions[0]).toMatchObject({ _id: user.sessionId, device: null, isCurrent: true })
  expect(sessions.map(({ device }: { device: string }) => device)).toEqual([null, null, 'Firefox on Linux'])
  expect((await list(accessOf(login)))[0]).toMatchObject({ device: 'Firefox on Linux', isCurrent: true })
  expect(Object.keys(sessions[0])).toEqual(['_id', 'device', 'startedAt', 'lastUsedAt', 'isCurrent'])
})

it('GET /api/users/me/sessions shows when each was used last, as of its last refresh', async ({ user }) => {
  const login = await logInWith(user.email, firefox)
  const at = sql<Date>`now() - interval '2 days'`
  const long = { created_at: at, last_used_at: at }
  await db.updateTable('sessions').set(long).where('user_id', '=', user.id).execute()
  const refreshed = await post(test, '/api/users/auth/refresh', undefined, cookieOf(login))
  const [{ startedAt, lastUsedAt }] = await list(accessOf(refreshed))
  expect(Date.parse(lastUsedAt) - Date.parse(startedAt)).toBeGreaterThan(24 * 3600 * 1000)
})

it('ending sessions ends the given one, immediately', async ({ user }) => {
  const [first, second] = [await logInWith(user.email, firefox), await logInWith(user.email, firefox)]
  const [{ _id }] = await list(accessOf(first))
  expect((await endOne(user.auth, _id)).statusCode).toBe(204)
  expectRefusal(await getMe(test, accessOf(first)), 'unauthorized')
  expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(first)), 'session_expired')
  expect((await getMe(test, accessOf(second))).statusCode).toBe(200)
  expect((await endOne(user.auth, _id)).statusCode).toBe(204)
})

it('ending sessions ends all others, even in many simultaneous requests', async ({ user }) => {
  const bystander = await createUser(test)
  for (let more = 0; more < 5; more++) await createSession(user)
  const answers = await Promise.all(Array.from({ length: 5 }, () => endOthers(user)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204, 204])
  expect(await idsOf(user.auth)).toEqual([user.sessionId])
  expect((await getMe(test, bystander.auth)).statusCode).toBe(200)
})

it('ending sessions ends no session of other users', async ({ user, other }) => {
  expect((await endOne(user.auth, other.sessionId)).statusCode).toBe(204)
  expect((await getMe(test, other.auth)).statusCode).toBe(200)
})

it('ending sessions needs the password, so that a session that was taken over ends no other', async ({ user }) => {
  const other = await createSession(user)
  expectRefusal(await endOne(user.auth, other, 'Not the desk 42!'), 'wrong_password')
  expectRefusal(await endOthers(user, 'Not the desk 42!'), 'wrong_password')
  expectRefusal(await endOthers(user, ''), 'invalid_input', 'Please fill in all fields')
  expect((await endOne(user.auth, 'no-id')).statusCode).toBe(400)
  expect((await idsOf(user.auth)).toSorted()).toEqual([user.sessionId, other].toSorted())
})

const createSession = ({ id }: TestUser) => inTransaction(db, (tx) => insertSession(tx, id, 86_400))
