import { randomUUID } from 'node:crypto'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Member, NoteSuspension } from '../../../../packages/contract/members.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import {
  asViewer,
  createNote,
  createUser,
  itWithUsers,
  noLists,
  openTestApp,
  openTestAppOn,
  password,
  type TestUser,
} from '../../../testing/app.ts'
import { canary, expectNoLeak } from '../../../testing/canary.ts'
import { drainJobs } from '../../../testing/drain-jobs.ts'
import { field, file, goodFields, upload } from '../../../testing/form.ts'
import { recordLog } from '../../../testing/log.ts'
import { mailsTo, tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import { accessOf, changePassword, cookieOf, logIn, patch, post, rate, remove } from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { settleDueNote } from '../../notes/notes.queries.ts'
import { changeNote, detachAnonymousNotes } from '../../notes/notes.ts'
import { saveSuspension } from './suspensions.queries.ts'
import {
  expireSuspensions,
  liftNoteAuthorSuspension,
  liftSuspension,
  suspendMember,
  suspendNoteAuthor,
} from './suspensions.ts'

const { lines, log } = recordLog('debug')
const test = await openTestApp({}, log)
const it = itWithUsers(test)
const other = await openTestAppOn(test)
const { db } = test.deps
const createAdmin = () => createUser(test, { role: 'admin' })
const [admin, colleague, reader] = await Promise.all([createAdmin(), createAdmin(), createUser(test)])
const get = (user: TestUser, url: string, server = test) => server.app.inject({ url, headers: user.auth })
const grounds = { days: null, reason: 'Sold exams.', hidesNotes: true }
const suspend = (user: TestUser, body: object = grounds, by = admin) =>
  post(test, `/api/admin/members/${user.id}/suspension`, body, by.auth)
const lift = ({ id }: TestUser, by = admin) => remove(test, `/api/admin/members/${id}/suspension`, by.auth)
const suspendBehind = (noteId: string, by = admin) =>
  post(test, `/api/admin/notes/${noteId}/suspension`, { days: null, reason: 'Sold exams.' }, by.auth)
const liftBehind = (noteId: string, by = admin) => remove(test, `/api/admin/notes/${noteId}/suspension`, by.auth)
const find = async ({ email }: TestUser): Promise<Member | undefined> =>
  (await get(admin, `/api/admin/members?text=${encodeURIComponent(email)}`)).json().members[0]
const report = (noteId: string) => post(test, `/api/notes/${noteId}/reports`, { rule: 'exam' }, reader.auth)
const decide = async (noteId: string, kind: 'hide' | 'restore') => {
  const decision = { kind, rule: 'exam', reason: 'It is written next week.' }
  expect((await post(test, `/api/moderation/notes/${noteId}/decisions`, decision, admin.auth)).statusCode).toBe(204)
}
const isShown = async (noteId: string) => (await get(reader, `/api/notes/${noteId}`)).statusCode === 200

it('a suspension by name ends all sessions immediately, on every server, and shows the reason only with the right password', async () => {
  const user = await createUser(test)
  const elsewhere = await logIn(other, user.email)
  expect((await get(user, '/api/users/me', other)).statusCode).toBe(200)
  expect((await suspend(user, { ...grounds, days: 3 })).statusCode).toBe(204)
  for (const server of [test, other]) expectRefusal(await get(user, '/api/users/me', server), 'unauthorized')
  expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(elsewhere)), 'session_expired')
  expectRefusal(await logIn(test, user.email, 'Another desk 43!'), 'invalid_credentials')
  expect(await sessionsOf(user)).toEqual([])
  const mail = await waitForMail(test, user.email)
  for (const fragment of ['suspended until', '> Sold exams.']) expect(mail.text).toContain(fragment)
  const login = await logIn(other, user.email)
  expect(login.json().user.suspension).toMatchObject({ reason: 'Sold exams.' })
  expect((await get({ ...user, auth: accessOf(login) }, '/api/notes')).json().code).toBe('account_suspended')
  expect(await find(user)).toMatchObject({ suspension: { reason: 'Sold exams.', hidesNotes: true } })
})

it('a suspension by name hides what is shared by name and nothing that is shared without, and lifting it brings all back', async () => {
  const user = await createUser(test)
  const [named, hidden] = [await createNote(test, user), await createNote(test, user)]
  const anonymous = await createNote(test, user, { isAnonymous: true })
  await rate(test, reader, named, { likes: '+' })
  await report(hidden)
  await decide(hidden, 'hide')
  await suspend(user)
  expect(await Promise.all([named, anonymous, hidden].map(isShown))).toEqual([false, true, false])
  expectRefusal(await get(reader, `/api/people/${user.id}`), 'person_not_found')
  const list = (await get(admin, '/api/moderation/hidden')).body
  expect([list.includes(named), list.includes(hidden)]).toEqual([false, true])
  expect((await lift(user)).statusCode).toBe(204)
  expect(await Promise.all([named, anonymous, hidden].map(isShown))).toEqual([true, true, false])
  expect((await get(reader, `/api/notes/${named}`)).json()).toMatchObject({ likes: 1 })
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
  expect(await find(user)).not.toHaveProperty('suspension')
  await drainJobs(test)
  expect(mailsTo(test, user.email).map(({ subject }) => subject)).toContain('Your Lectern account is active again')
  expectRefusal(await lift(user), 'not_suspended')
})

it('a note that becomes anonymous while it is hidden returns separately, not with the named ones (G6)', async () => {
  const user = await createUser(test, { name: canary.name })
  const [named, turned] = [await createNote(test, user), await createNote(test, user)]
  await suspend(user)
  // Simulates an edit that was in progress.
  const asked = new AbortController().signal
  await changeNote(test.deps, asViewer(user), turned, { isAnonymous: true }, asked)
  await expect(changeNote(test.deps, asViewer(user), named, { isAnonymous: false }, asked)).rejects.toThrow()
  expect((await get(admin, '/api/moderation/hidden')).body).not.toContain(turned)
  expect((await get(admin, `/api/notes/${turned}`)).body).not.toContain('suspended')
  await lift(user)
  expect(await Promise.all([named, turned].map(isShown))).toEqual([true, false])
  // A repeated suspension hides no anonymous note.
  await suspend(user)
  const settle = () => inTransaction(db, settleDueNote)
  await settle()
  expect(await isShown(turned)).toBe(false)
  const { due_at } = await db.selectFrom('notes').select('due_at').where('id', '=', turned).executeTakeFirstOrThrow()
  expect((Number(due_at) - Date.now()) / 86_400_000).toBeLessThan(7)
  await sql`UPDATE notes SET due_at = 'epoch' WHERE id = ${turned}`.execute(db)
  await settle()
  expect(await Promise.all([named, turned].map(isShown))).toEqual([false, true])
  expectNoLeak(user, await get(reader, `/api/notes/${turned}`))
})

it('a suspension by name keeps notes visible if requested, also when it is repeated', async ({ user }) => {
  const noteId = await createNote(test, user)
  await suspend(user)
  expect(await isShown(noteId)).toBe(false)
  expect((await suspend(user, { ...grounds, hidesNotes: false, days: 7 })).statusCode).toBe(204)
  expect(await isShown(noteId)).toBe(true)
  expect(await find(user)).toMatchObject({ suspension: { hidesNotes: false, until: expect.any(String) } })
})

it('a suspension by name leaves what moderators decided meanwhile as they decided', async ({ user }) => {
  const noteId = await createNote(test, user)
  await suspend(user)
  await decide(noteId, 'restore')
  await report(noteId)
  await decide(noteId, 'hide')
  await lift(user)
  expect(await isShown(noteId)).toBe(false)
})

it('a suspension by name expires automatically, and its notes come back', async ({ user }) => {
  const noteId = await createNote(test, user)
  await suspend(user, { ...grounds, days: 1 })
  await sql`UPDATE suspensions SET until = now() - interval '1 second' WHERE user_id = ${user.id}`.execute(db)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
  await expireSuspensions(db)
  expect(await isShown(noteId)).toBe(true)
  expectRefusal(await lift(user), 'not_suspended')
})

it('a suspension by name is refused for the admin’s own account, for an unknown one, and without a reason, and changes nothing then', async () => {
  const user = await createUser(test)
  expectRefusal(await suspend(admin), 'own_account')
  expectRefusal(await suspend({ ...user, id: randomUUID() }), 'member_not_found')
  for (const bad of [{ reason: ' ' }, { days: 0 }, { days: 1.5 }, { days: 4_000 }, { hidesNotes: 'yes' }])
    expect((await suspend(user, { ...grounds, ...bad })).json().code).toBe('invalid_input')
  expect((await get(user, '/api/users/me')).statusCode).toBe(200)
  expect(await db.selectFrom('suspensions').selectAll().where('user_id', '=', user.id).execute()).toEqual([])
})

it('a suspension by name leaves no whole session to logins and refreshes that come at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await createUser(test)
    const refreshed = cookieOf(await logIn(test, user.email))
    const logins = Array.from({ length: 4 }, (_, at) => logIn([test, other][at % 2] ?? test, user.email))
    const refresh = () => post(other, '/api/users/auth/refresh', undefined, refreshed)
    const [, , ...answers] = await Promise.all([suspend(user), refresh(), ...logins])
    expect((await sessionsOf(user)).filter(({ isLimited }) => !isLimited)).toEqual([])
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      const list = await test.app.inject({ url: '/api/notes', headers: accessOf(answer) })
      expect(list.json().code).toBe(answer.json().user.suspension ? 'account_suspended' : 'unauthorized')
    }
  }
})

it('a suspension by name lets no upload come after it, and hides the ones that came before', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await createUser(test)
    const parts = [...goodFields, field('isAnonymous', 'false'), file()]
    const [uploaded] = await Promise.all([upload(test, user, parts), suspend(user)])
    const notes = await db.selectFrom('notes').select('hidden_at').where('user_id', '=', user.id).execute()
    if (uploaded.statusCode === 201) expect(notes).toEqual([{ hidden_at: expect.any(Date) }])
    else {
      expect(uploaded.json().code).toBe('unauthorized')
      expect(notes).toEqual([])
    }
  }
})

it('a suspension by name refuses an upload that has come so far as to wait for it', async ({ user }) => {
  const answer = await whileLocked(test, {
    hold: (tx) => lockUser(tx, user.id),
    ask: () => upload(test, user, [...goodFields, file()]),
    happens: (tx) => saveSuspension(tx, user.id, { days: null, reason: 'Sold exams.', hidesNotes: true }),
  })
  expectRefusal(answer, 'unauthorized')
  expect(await db.selectFrom('notes').select('id').where('user_id', '=', user.id).execute()).toEqual([])
})

it('a suspension by name of an account that leaves and lets its notes stay leaves them to the moderators', async () => {
  const user = await createUser(test)
  const noteId = await createNote(test, user)
  await suspend(user)
  await sql`UPDATE notes SET is_anonymous = true WHERE id = ${noteId}`.execute(db)
  await inTransaction(db, (tx) => detachAnonymousNotes(tx, user.id, { isDeleted: false }))
  expect((await get(admin, '/api/moderation/hidden')).body).toContain(noteId)
})

const suspensionsOf = async (user = admin) =>
  (await get(user, '/api/admin/note-suspensions')).json<{ suspensions: NoteSuspension[] }>().suspensions

it('a suspension by an anonymous note suspends its author, names the note to them and hides nothing', async () => {
  const user = await createUser(test)
  const note = await createNote(test, user, { isAnonymous: true, title: 'Old exams' })
  const [sibling, named] = [await createNote(test, user, { isAnonymous: true }), await createNote(test, user)]
  expect((await suspendBehind(note)).statusCode).toBe(204)
  for (const server of [test, other]) expectRefusal(await get(user, '/api/users/me', server), 'unauthorized')
  expect((await logIn(test, user.email)).json().user).toHaveProperty('suspension')
  expect(await Promise.all([note, sibling, named].map(isShown))).toEqual([true, true, true])
  expect((await waitForMail(test, user.email)).text).toContain('because of the note “Old exams”')
  const shown = { noteId: note, title: 'Old exams', reason: 'Sold exams.', until: null }
  expect(await suspensionsOf()).toContainEqual(expect.objectContaining(shown))
  expect((await liftBehind(note, colleague)).statusCode).toBe(204)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
  expectRefusal(await liftBehind(note), 'not_suspended')
})

it('a suspension behind an anonymous note never reveals the author: in no list, log, other note or refusal', async () => {
  const user = await createUser(test, { ...canary, role: 'moderator' })
  const [note, named] = [await createNote(test, user, { isAnonymous: true }), await createNote(test, user)]
  const of = (noteId: string) => [`/api/notes/${noteId}`, `/api/notes/${noteId}/view`, `/api/notes/${noteId}/related`]
  const seenByAll = async () => {
    const answers: string[] = []
    for (const url of [...of(note), ...of(named), '/api/notes', '/api/about', `/api/people/${user.id}`]) {
      for (const viewer of [reader, admin]) answers.push((await get(viewer, url)).body)
    }
    // Responses in which an admin sees the account itself.
    answers.push(JSON.stringify(await find(user)), (await get(admin, '/api/moderation/hidden')).body)
    const { matters, ...queue } = (await get(admin, '/api/moderation/queue')).json()
    return [...answers, JSON.stringify({ ...queue, matters })]
  }
  const before = await seenByAll()
  expectNoLeak(user, await suspendBehind(note))
  expect(await seenByAll()).toEqual(before)
  // Actions on the account itself get the same responses as before.
  expect((await suspend(user, { ...grounds, hidesNotes: false })).statusCode).toBe(204)
  expect((await lift(user)).statusCode).toBe(204)
  expectRefusal(await lift(user), 'not_suspended')
  expect((await logIn(test, user.email)).json().user).toHaveProperty('suspension')
  expectNoLeak(user, await get(admin, '/api/admin/note-suspensions'))
  const about = await sql<{ text: string }>`
      SELECT t::text AS text FROM audit_entries t WHERE subject_id = ${note}
       UNION ALL SELECT t::text FROM note_author_suspensions t
       UNION ALL SELECT data::text FROM pgboss.job WHERE name = 'suspension-mail' AND data ? 'noteId'`.execute(db)
  expect(about.rows.length).toBeGreaterThan(2)
  for (const { text } of about.rows) expect(text).not.toContain(user.id)
  for (const entry of (await get(admin, '/api/admin/audit')).json().entries) {
    if (entry.subject?._id === note) expect(JSON.stringify(entry)).not.toContain(user.id)
  }
  await drainJobs(test)
  expect(mailsTo(test, user.email)).not.toEqual([])
  // Log entries of requests on the account have its id in the path; none has it together with the note.
  for (const line of lines.filter((one) => one.includes(note))) expect(line).not.toContain(user.id)
  expect(lines.join('')).not.toContain(user.email)
})

it('a suspension behind an anonymous note answers the same for a note whose author is deleted', async ({ user }) => {
  const note = await createNote(test, user, { isAnonymous: true })
  await sql`UPDATE notes SET user_id = NULL WHERE id = ${note}`.execute(db)
  const answer = await suspendBehind(note)
  const usual = await suspendBehind(await createNote(test, reader, { isAnonymous: true }))
  expect([answer.statusCode, answer.body]).toEqual([usual.statusCode, usual.body])
  expect((await suspensionsOf()).map(({ noteId }) => noteId)).toContain(note)
  for (const { noteId } of await suspensionsOf()) await liftBehind(noteId)
})

it('a suspension behind an anonymous note is refused for the admin’s own note, a named one, and an unknown one', async () => {
  const own = await createNote(test, admin, { isAnonymous: true })
  expectRefusal(await suspendBehind(own), 'own_account')
  expectRefusal(await suspendBehind(await createNote(test, colleague)), 'note_not_anonymous')
  expectRefusal(await suspendBehind(randomUUID()), 'note_not_found')
  expect(await suspensionsOf()).toEqual([])
})

it('a suspension behind an anonymous note meets other admins, too, and stays where the account is suspended by name and lifted', async () => {
  const note = await createNote(test, colleague, { isAnonymous: true })
  expect((await suspendBehind(note)).statusCode).toBe(204)
  expectRefusal(await get(colleague, '/api/admin/members'), 'unauthorized')
  await liftBehind(note)
  expect((await logIn(test, colleague.email)).json().user).toMatchObject({ role: 'admin' })
})

const { deps } = test

type Auth = TestUser['auth']
const getAs = (auth: Auth, url: string, server = test) => server.app.inject({ url, headers: auth })
const suspendByOperator = (user: TestUser, days: number | null = null) =>
  suspendMember(deps, null, user.id, { days, reason: 'Sold exams.', hidesNotes: true })
const suspendAndLogIn = async (user: TestUser) => {
  await suspendByOperator(user)
  return accessOf(await logIn(test, user.email))
}
const suspendBehindByOperator = (noteId: string) =>
  suspendNoteAuthor(deps, null, noteId, { days: null, reason: 'Sold exams.' })
const refusal = 'Your account is suspended until an admin lifts it. Reason: Sold exams.'
const secondsLeft = sql<number>`extract(epoch FROM expires_at - now())::float8`.as('secondsLeft')
const sessionsOf = ({ id }: TestUser) =>
  db.selectFrom('sessions').select(['is_limited as isLimited', secondsLeft]).where('user_id', '=', id).execute()

describe('a suspended user who logs in', () => {
  it('sees the reason and the end, and nothing that could not be opened', async ({ user }) => {
    const note = await createNote(test, await createUser(test))
    await rate(test, user, note, { likes: '+' })
    await patch(test, '/api/users/me', { recentlyViewedNotes: [note] }, user.auth)
    await suspendByOperator(user, 3)
    const login = await expectStatus(200, logIn(test, user.email))
    const suspension = { until: expect.any(String), reason: 'Sold exams.', noteTitle: null }
    const limited = { _id: user.id, name: user.name, email: user.email, ...noLists, suspension }
    expect(login.json().user).toEqual(limited)
    expect((await getAs(accessOf(login), '/api/users/me', other)).json().user).toEqual(limited)
    for (const server of [test, other]) {
      const refused = await getAs(accessOf(login), '/api/notes', server)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'account_suspended'])
      const message = /^Your account is suspended until \d+ \w+ 20\d\d \(UTC\)\. Reason: Sold/
      expect(refused.json().message).toMatch(message)
    }
  })

  it('suspended by an anonymous note sees which one', async ({ user }) => {
    await suspendBehindByOperator(await createNote(test, user, { isAnonymous: true, title: 'Old exams' }))
    const { suspension } = (await logIn(test, user.email)).json().user
    expect(suspension).toEqual({ until: null, reason: 'Sold exams.', noteTitle: 'Old exams' })
  })

  it('takes everything along, hidden notes too', async ({ user }) => {
    for (const isAnonymous of [false, true]) await createNote(test, user, { isAnonymous })
    const auth = await suspendAndLogIn(user)
    expect((await post(test, '/api/users/me/export', undefined, auth)).statusCode).toBe(200)
    await drainJobs(test)
    expect((await getAs(auth, '/api/users/me/export', other)).json().export.ready).not.toBeNull()
    const zip = await getAs(auth, '/api/users/me/export/file')
    expect(Object.keys(unzipSync(zip.rawPayload)).filter((name) => name.endsWith('.pdf'))).toHaveLength(2)
  })

  it('leaves, and changes their mind', async ({ user }) => {
    const auth = await suspendAndLogIn(user)
    const wish = { currentPassword: password, notes: 'keep' }
    expect((await post(test, '/api/users/me/leaving', wish, auth)).json().leaving).toMatchObject({ notes: 'keep' })
    const { leavesAt } = (await getAs(auth, '/api/users/me')).json().user
    expect(leavesAt).toEqual(expect.any(String))
    expect((await remove(test, '/api/users/me/leaving', auth)).statusCode).toBe(204)
    expect((await getAs(auth, '/api/users/me')).json().user).not.toHaveProperty('leavesAt')
  })

  it('changes the password, which ends every other session and no limit', async ({ user }) => {
    await suspendByOperator(user)
    const [here, elsewhere] = [await logIn(test, user.email), await logIn(other, user.email)]
    expect((await changePassword(test, { auth: accessOf(here) }, 'Another desk 42!')).statusCode).toBe(200)
    expectRefusal(await getAs(accessOf(elsewhere), '/api/users/me'), 'unauthorized')
    expectRefusal(await getAs(accessOf(here), '/api/notes'), 'account_suspended', refusal)
  })

  it('from a new device gets a mail, and can use its link', async ({ user }) => {
    await logIn(test, user.email)
    await suspendByOperator(user)
    await waitForMail(test, user.email)
    const auth = accessOf(await logIn(test, user.email))
    const token = tokenOf(await waitForMail(test, user.email, 2))
    expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
    for (const server of [test, other]) expectRefusal(await getAs(auth, '/api/users/me', server), 'unauthorized')
  })
})

describe('a limited session', () => {
  it('stays limited when it is refreshed, and lasts no longer', async ({ user }) => {
    await suspendByOperator(user)
    const login = await logIn(test, user.email)
    const [begun] = await sessionsOf(user)
    await sql`UPDATE sessions SET expires_at = now() + interval '1 hour' WHERE user_id = ${user.id}`.execute(db)
    const refreshed = await expectStatus(200, post(other, '/api/users/auth/refresh', undefined, cookieOf(login)))
    expectRefusal(await getAs(accessOf(refreshed), '/api/notes'), 'account_suspended', refusal)
    const [now] = await sessionsOf(user)
    expect([begun?.isLimited, now?.isLimited]).toEqual([true, true])
    expect(begun?.secondsLeft).toBeLessThanOrEqual(24 * 3600)
    expect(now?.secondsLeft).toBeLessThanOrEqual(3600)
  })

  it('ends with the suspension', async ({ user }) => {
    await suspendByOperator(user, 1)
    await sql`UPDATE suspensions SET until = now() + interval '1 minute' WHERE user_id = ${user.id}`.execute(db)
    await logIn(test, user.email)
    const [session] = await sessionsOf(user)
    expect(session?.secondsLeft).toBeLessThanOrEqual(60)
  })

  it('ends when the suspension is lifted in any way, and the next session is unlimited', async ({ user }) => {
    const note = await createNote(test, user, { isAnonymous: true })
    const ways = [
      { begin: () => suspendByOperator(user), end: () => liftSuspension(deps, null, user.id) },
      { begin: () => suspendBehindByOperator(note), end: () => liftNoteAuthorSuspension(deps, null, note) },
    ]
    for (const { begin, end } of ways) {
      await begin()
      const login = await logIn(test, user.email)
      await end()
      for (const server of [test, other])
        expectRefusal(await getAs(accessOf(login), '/api/users/me', server), 'unauthorized')
      expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(login)), 'session_expired')
      expect((await getAs(accessOf(await logIn(other, user.email)), '/api/notes')).statusCode).toBe(200)
    }
  })

  it('of one suspended twice is followed by another while one of the two lasts', async ({ user }) => {
    await suspendBehindByOperator(await createNote(test, user, { isAnonymous: true }))
    await suspendByOperator(user)
    await liftSuspension(deps, null, user.id)
    expectRefusal(await getAs(accessOf(await logIn(test, user.email)), '/api/notes'), 'account_suspended', refusal)
  })

  it('opens nothing more where its suspension is gone without a word', async ({ user }) => {
    const auth = await suspendAndLogIn(user)
    await db.deleteFrom('suspensions').where('user_id', '=', user.id).execute()
    for (const url of ['/api/notes', '/api/users/me']) expectRefusal(await getAs(auth, url), 'unauthorized')
  })

  it('is given to logins during a suspension, and none is left after its end', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await createUser(test)
      const logins = () => Promise.all([test, other, test, other].map((server) => logIn(server, user.email)))
      const [answers] = await Promise.all([logins(), suspendByOperator(user)])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      // The suspension ended the sessions of earlier logins.
      expect((await sessionsOf(user)).filter(({ isLimited }) => !isLimited)).toEqual([])
      await Promise.all([logins(), liftSuspension(deps, null, user.id)])
      expect((await sessionsOf(user)).filter(({ isLimited }) => isLimited)).toEqual([])
    }
  })
})
