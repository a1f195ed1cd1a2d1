import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { deleteOldRegistrations } from '../../features/accounts/accounts.queries.ts'
import { deleteExpiredSessions } from '../../features/auth/sessions/sessions.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { deleteExpiredCounts } from '../../platform/http/rate-limits.ts'
import { createUser, openTestApp } from '../app.ts'
import { expectRefusal } from '../refusal.ts'
import { cookieOf, logIn, post, register, requestReset } from '../students.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const { db } = test.deps
const ago = (days: number): RawBuilder<Date> => sql<Date>`now() - ${days} * interval '1 day'`

it('removes sessions that are over, and no other', async () => {
  const [gone, living] = await Promise.all([createUser(test), createUser(test)])
  await sql`UPDATE sessions SET expires_at = ${ago(0.001)} WHERE id = ${gone.sessionId}`.execute(db)
  await deleteExpiredSessions(db)
  const { rows } = await sql`SELECT id FROM sessions WHERE id IN (${gone.sessionId}, ${living.sessionId})`.execute(db)
  expect(rows).toEqual([{ id: living.sessionId }])
})

it('forgets replaced refresh tokens once their cookies are gone, while the session goes on', async () => {
  const user = await createUser(test)
  const first = cookieOf(await logIn(test, user.email))
  const refresh = (cookie: { cookie: string }) => post(test, '/api/users/auth/refresh', undefined, cookie)
  const second = cookieOf(await refresh(first))
  const third = cookieOf(await refresh(second))
  const hashes = [first, second, third].map(({ cookie }) => hashToken(cookie.split('=')[1] ?? ''))
  await sql`UPDATE refresh_tokens SET rotated_at = ${ago(31)} WHERE token_hash = ${hashes[0]}`.execute(db)
  await sql`UPDATE refresh_tokens SET rotated_at = ${ago(29)} WHERE token_hash = ${hashes[1]}`.execute(db)
  await deleteExpiredSessions(db)
  const kept = await db.selectFrom('refresh_tokens').select('token_hash').where('token_hash', 'in', hashes).execute()
  expect(kept).toHaveLength(2)
  expect(kept).not.toContainEqual({ token_hash: hashes[0] })
  expectRefusal(await refresh(first), 'session_expired')
  expect((await refresh(third)).statusCode).toBe(200)
})

it('calls a link expired for 30 days and then removes the registration', async () => {
  const tokens = [await register(test, 'late@uni.example'), await register(test, 'too.late@uni.example')]
  await sql`UPDATE registrations SET created_at = CASE email
    WHEN 'late@uni.example' THEN ${ago(29)} ELSE ${ago(31)} END`.execute(db)
  await sql`UPDATE account_tokens SET expires_at = ${ago(1)} WHERE purpose = 'verify'`.execute(db)
  await deleteOldRegistrations(db)
  const [late, tooLate] = await Promise.all(tokens.map((token) => post(test, '/api/users/verify', { token })))
  if (!late || !tooLate) throw new Error('Two links were tried')
  expectRefusal(late, 'verification_link_expired')
  expectRefusal(tooLate, 'verification_link_invalid')
  expect(await db.selectFrom('registrations').select('email').execute()).toEqual([{ email: 'late@uni.example' }])
})

it('removes the registration of an account, and keeps the account', async () => {
  const token = await register(test, 'student@uni.example')
  await post(test, '/api/users/verify', { token })
  await sql`UPDATE registrations SET created_at = ${ago(31)} WHERE email = 'student@uni.example'`.execute(db)
  await deleteOldRegistrations(db)
  const left = db.selectFrom('registrations').select('email').where('email', '=', 'student@uni.example')
  expect(await left.execute()).toEqual([])
  expect((await logIn(test, 'student@uni.example')).statusCode).toBe(200)
})

it('removes reset links that are over, and no other', async () => {
  const [gone, living] = await Promise.all([createUser(test), createUser(test)])
  const old = await requestReset(test, gone.email)
  const good = await requestReset(test, living.email)
  await sql`UPDATE account_tokens SET expires_at = ${ago(0.001)} WHERE token_hash = ${hashToken(old)}`.execute(db)
  await deleteOldRegistrations(db)
  const rows = await db.selectFrom('account_tokens').select('token_hash').where('purpose', '=', 'reset').execute()
  expect(rows).toEqual([{ token_hash: hashToken(good) }])
})

it('removes counted attempts whose time is over, and no other', async () => {
  const { rateLimits } = test.deps
  const [short, long] = [
    { name: 'short', points: 1, seconds: 60 },
    { name: 'long', points: 1, seconds: 60 },
  ]
  await rateLimits.consume(short, 'a')
  await rateLimits.consume(long, 'a')
  await sql`UPDATE rate_limits SET expire = ${Date.now() - 1} WHERE key LIKE 'short:%'`.execute(db)
  await deleteExpiredCounts(db)
  const rows = await db.selectFrom('rate_limits').select('key').where('key', 'like', '%:%').execute()
  expect(rows.filter(({ key }) => key.startsWith('short:'))).toEqual([])
  expect(rows.filter(({ key }) => key.startsWith('long:'))).toHaveLength(1)
  await expect(rateLimits.consume(long, 'a')).rejects.toMatchObject({ code: 'rate_limited' })
})
