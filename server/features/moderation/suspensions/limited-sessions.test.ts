import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import {
  createNote,
  createUser,
  itWithUsers,
  noLists,
  openTestApp,
  openTestAppOn,
  password,
  type TestUser,
} from '../../../testing/app.ts'
import { drainJobs } from '../../../testing/drain-jobs.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, changePassword, cookieOf, logIn, patch, post, rate, remove } from '../../../testing/students.ts'
import { liftNoteAuthorSuspension, liftSuspension, suspendMember, suspendNoteAuthor } from './suspensions.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const other = await openTestAppOn(test)
const { deps } = test
const { db } = deps

type Auth = TestUser['auth']
const get = (auth: Auth, url: string, server = test) => server.app.inject({ url, headers: auth })
const suspend = (user: TestUser, days: number | null = null) =>
  suspendMember(deps, null, user.id, { days, reason: 'Sold exams.', hidesNotes: true })
const suspendAndLogIn = async (user: TestUser) => {
  await suspend(user)
  return accessOf(await logIn(test, user.email))
}
const suspendBehind = (noteId: string) => suspendNoteAuthor(deps, null, noteId, { days: null, reason: 'Sold exams.' })
const refusal = 'Your account is suspended until an admin lifts it. Reason: Sold exams.'
const secondsLeft = sql<number>`extract(epoch FROM expires_at - now())::float8`.as('secondsLeft')
const sessionsOf = ({ id }: TestUser) =>
  db.selectFrom('sessions').select(['is_limited as isLimited', secondsLeft]).where('user_id', '=', id).execute()

describe('a suspended user who logs in', () => {
  it('learns the reason and the end, and nothing that could not be opened', async ({ user }) => {
    const note = await createNote(test, await createUser(test))
    await rate(test, user, note, { likes: '+' })
    await patch(test, '/api/users/me', { recentlyViewedNotes: [note] }, user.auth)
    await suspend(user, 3)

    const login = await logIn(test, user.email)
    expect(login.statusCode).toBe(200)
    const suspension = { until: expect.any(String), reason: 'Sold exams.', noteTitle: null }
    const limited = { _id: user.id, name: user.name, email: user.email, ...noLists, suspension }
    expect(login.json().user).toEqual(limited)
    expect((await get(accessOf(login), '/api/users/me', other)).json().user).toEqual(limited)
    for (const server of [test, other]) {
      const refused = await get(accessOf(login), '/api/notes', server)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'account_suspended'])
      const message = /^Your account is suspended until \d+ \w+ 20\d\d \(UTC\)\. Reason: Sold/
      expect(refused.json().message).toMatch(message)
    }
  })

  it('behind an anonymous note learns which one it is for', async ({ user }) => {
    await suspendBehind(await createNote(test, user, { isAnonymous: true, title: 'Old exams' }))
    const { suspension } = (await logIn(test, user.email)).json().user
    expect(suspension).toEqual({ until: null, reason: 'Sold exams.', noteTitle: 'Old exams' })
  })

  it('takes everything along, hidden notes too', async ({ user }) => {
    for (const isAnonymous of [false, true]) await createNote(test, user, { isAnonymous })
    const auth = await suspendAndLogIn(user)
    expect((await post(test, '/api/users/me/export', undefined, auth)).statusCode).toBe(200)
    await drainJobs(test)
    expect((await get(auth, '/api/users/me/export', other)).json().export.ready).not.toBeNull()
    const zip = await get(auth, '/api/users/me/export/file')
    const names = Object.keys(unzipSync(zip.rawPayload))
    expect(names.filter((name) => name.endsWith('.pdf'))).toHaveLength(2)
  })

  it('leaves, and changes their mind', async ({ user }) => {
    const auth = await suspendAndLogIn(user)
    const wish = { currentPassword: password, notes: 'keep' }
    expect((await post(test, '/api/users/me/leaving', wish, auth)).json().leaving).toMatchObject({ notes: 'keep' })
    const { leavesAt } = (await get(auth, '/api/users/me')).json().user
    expect(leavesAt).toEqual(expect.any(String))
    expect((await remove(test, '/api/users/me/leaving', auth)).statusCode).toBe(204)
    expect((await get(auth, '/api/users/me')).json().user).not.toHaveProperty('leavesAt')
  })

  it('changes the password, which ends every other session and no limit', async ({ user }) => {
    await suspend(user)
    const [here, elsewhere] = [await logIn(test, user.email), await logIn(other, user.email)]
    expect((await changePassword(test, { auth: accessOf(here) }, 'Another desk 42!')).statusCode).toBe(200)
    expectRefusal(await get(accessOf(elsewhere), '/api/users/me'), 'unauthorized')
    expectRefusal(await get(accessOf(here), '/api/notes'), 'account_suspended', refusal)
  })

  it('from a new device gets a mail, and can use its link', async ({ user }) => {
    await logIn(test, user.email)
    await suspend(user)
    await waitForMail(test, user.email)
    const auth = accessOf(await logIn(test, user.email))
    const token = tokenOf(await waitForMail(test, user.email, 2))
    expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
    for (const server of [test, other]) expectRefusal(await get(auth, '/api/users/me', server), 'unauthorized')
  })
})

describe('a limited session', () => {
  it('stays limited when it is refreshed, and lasts no longer', async ({ user }) => {
    await suspend(user)
    const login = await logIn(test, user.email)
    const [begun] = await sessionsOf(user)
    await sql`UPDATE sessions SET expires_at = now() + interval '1 hour' WHERE user_id = ${user.id}`.execute(db)
    const refreshed = await post(other, '/api/users/auth/refresh', undefined, cookieOf(login))
    expect(refreshed.statusCode).toBe(200)
    expectRefusal(await get(accessOf(refreshed), '/api/notes'), 'account_suspended', refusal)
    const [now] = await sessionsOf(user)
    expect([begun?.isLimited, now?.isLimited]).toEqual([true, true])
    expect(begun?.secondsLeft).toBeLessThanOrEqual(24 * 3600)
    expect(now?.secondsLeft).toBeLessThanOrEqual(3600)
  })

  it('ends with the suspension', async ({ user }) => {
    await suspend(user, 1)
    await sql`UPDATE suspensions SET until = now() + interval '1 minute' WHERE user_id = ${user.id}`.execute(db)
    await logIn(test, user.email)
    const [session] = await sessionsOf(user)
    expect(session?.secondsLeft).toBeLessThanOrEqual(60)
  })

  it('ends when the suspension is lifted, whichever way, and the next one is whole', async ({ user }) => {
    const note = await createNote(test, user, { isAnonymous: true })
    const ways = [
      { begin: () => suspend(user), end: () => liftSuspension(deps, null, user.id) },
      { begin: () => suspendBehind(note), end: () => liftNoteAuthorSuspension(deps, null, note) },
    ]
    for (const { begin, end } of ways) {
      await begin()
      const login = await logIn(test, user.email)
      await end()
      for (const server of [test, other])
        expectRefusal(await get(accessOf(login), '/api/users/me', server), 'unauthorized')
      expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(login)), 'session_expired')
      expect((await get(accessOf(await logIn(other, user.email)), '/api/notes')).statusCode).toBe(200)
    }
  })

  it('of one suspended twice is followed by another while one of the two lasts', async ({ user }) => {
    await suspendBehind(await createNote(test, user, { isAnonymous: true }))
    await suspend(user)
    await liftSuspension(deps, null, user.id)
    expectRefusal(await get(accessOf(await logIn(test, user.email)), '/api/notes'), 'account_suspended', refusal)
  })

  it('opens nothing more where its suspension is gone without a word', async ({ user }) => {
    const auth = await suspendAndLogIn(user)
    await db.deleteFrom('suspensions').where('user_id', '=', user.id).execute()
    for (const url of ['/api/notes', '/api/users/me']) expectRefusal(await get(auth, url), 'unauthorized')
  })

  it('is what logins get that meet a suspension, and none is left that meet its end', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await createUser(test)
      const logins = () => Promise.all([test, other, test, other].map((server) => logIn(server, user.email)))
      const [answers] = await Promise.all([logins(), suspend(user)])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      // The suspension ended the sessions of earlier logins.
      expect((await sessionsOf(user)).filter(({ isLimited }) => !isLimited)).toEqual([])
      await Promise.all([logins(), liftSuspension(deps, null, user.id)])
      expect((await sessionsOf(user)).filter(({ isLimited }) => isLimited)).toEqual([])
    }
  })
})
