import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import type { NotesOnDeletion } from '../../../../packages/contract/settings.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { createNote, createUser, itWithUsers, openTestApp, password, type TestUser } from '../../../testing/app.ts'
import { expectNoLeak } from '../../../testing/canary.ts'
import { jobContext } from '../../../testing/jobs.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../../testing/storage-assertions.ts'
import { accessOf, getMe, logIn, post, rate, register, requestReset, resetPassword } from '../../../testing/students.ts'
import { hoursUntil } from '../../../testing/times.ts'
import { setRole } from '../../auth/roles/roles.ts'
import { settleDueNote } from '../../notes/notes.queries.ts'
import { deleteAccount, enqueueDueDeletions } from './account-deletion.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const ask = ({ auth }: TestUser, notes: unknown = 'keep', currentPassword: unknown = password) =>
  post(test, '/api/users/me/leaving', { notes, currentPassword }, auth)
const stay = (auth: { authorization: string }) =>
  test.app.inject({ method: 'DELETE', url: '/api/users/me/leaving', headers: auth })
const getLeaving = async (auth: { authorization: string }) =>
  (await test.app.inject({ url: '/api/users/me/leaving', headers: auth })).json().leaving
const get = ({ auth }: TestUser, url: string) => test.app.inject({ url, headers: auth })
const view = ({ auth }: TestUser, noteIds: string[]) =>
  test.app.inject({ method: 'PATCH', url: '/api/users/me', headers: auth, payload: { recentlyViewedNotes: noteIds } })
const isThere = async ({ id }: TestUser) =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const passDays = (user: TestUser) =>
  sql`UPDATE users SET deletion_due_at = now() - interval '1 second' WHERE id = ${user.id}`.execute(db)
const runJob = ({ id }: TestUser) => deleteAccount(test.deps, { userId: id }, jobContext)

/** Schedules the deletion and makes it due after its mail was sent, because a deleted account has no address. */
async function comeDue(user: TestUser, notes: NotesOnDeletion, mails = 1) {
  expect((await ask(user, notes)).statusCode).toBe(200)
  await waitForMail(test, user.email, mails)
  await passDays(user)
}

describe('the seven days', () => {
  it('begin with the password, end the other sessions and are announced by email', async ({ user }) => {
    const elsewhere = await logIn(test, user.email)
    const { leaving } = (await ask(user, 'remove')).json()
    expect(leaving.notes).toBe('remove')
    expect(hoursUntil(leaving.at)).toBeCloseTo(7 * 24, 0)
    expectRefusal(await getMe(test, accessOf(elsewhere)), 'unauthorized')
    expect((await waitForMail(test, user.email)).subject).toBe('Your Lectern account will be deleted')
    // The login response includes the date of deletion.
    expect((await logIn(test, user.email)).json().user.leavesAt).toBe(leaving.at)
    expect((await getMe(test, user.auth)).json().user.leavesAt).toBe(leaving.at)
    await enqueueDueDeletions(test.deps)
    await runJob(user)
    expect(await isThere(user)).toBe(true)
  })

  it('can be ended, and then everything is as before', async ({ user }) => {
    const noteId = await createNote(test, user)
    await ask(user, 'remove')
    expect([(await stay(user.auth)).statusCode, (await stay(user.auth)).statusCode]).toEqual([204, 204])
    expect(await getLeaving(user.auth)).toBeNull()
    expect((await getMe(test, user.auth)).json().user).not.toHaveProperty('leavesAt')
    await runJob(user)
    expect((await get(user, `/api/notes/${noteId}`)).statusCode).toBe(200)
  })

  it('cannot be ended when they are over', async ({ user }) => {
    await comeDue(user, 'keep')
    for (const answer of [await stay(user.auth), await ask(user)]) expectRefusal(answer, 'leaving_begun')
  })

  it('are ended by saying that it was not me', async ({ user }) => {
    await ask(user)
    const token = tokenOf(await waitForMail(test, user.email))
    expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
    expect(await db.selectFrom('users').select('deletion_due_at').where('id', '=', user.id).executeTakeFirst()).toEqual(
      { deletion_due_at: null },
    )
  })

  it('tell an admin when no other would be left', async () => {
    const isOnly = async (user: TestUser) => (await get(user, '/api/users/me/leaving')).json().isOnlyAdmin
    const [first, second, student] = await Promise.all([createUser(test), createUser(test), createUser(test)])
    await setRole(test.deps, first.email, 'admin')
    expect([await isOnly(first), await isOnly(student)]).toEqual([true, false])
    await setRole(test.deps, second.email, 'admin')
    expect(await isOnly(first)).toBe(false)
    await ask(second)
    expect(await isOnly(first)).toBe(true)
  })

  it.for([
    ['a wrong password', 'keep', 'Not the desk 42!', 'wrong_password'],
    ['no password', 'keep', '', 'invalid_input'],
    ['no choice', undefined, password, 'invalid_input'],
    ['another choice', 'burn', password, 'invalid_input'],
  ] as const)('do not begin with %s', async ([_what, notes, currentPassword, code], { user }) => {
    const payload = { ...(notes && { notes }), currentPassword }
    expect((await post(test, '/api/users/me/leaving', payload, user.auth)).json().code).toBe(code)
    expect(await getLeaving(user.auth)).toBeNull()
  })
})

describe('when they are over', () => {
  it('everything is deleted with the account, and the address can register again', async ({ user, other }) => {
    const [own, liked] = [await createNote(test, user), await createNote(test, other)]
    await rate(test, user, liked, { likes: '+' })
    await rate(test, other, own, { likes: '+' })
    await view(other, [own, liked])
    await comeDue(user, 'remove')
    await enqueueDueDeletions(test.deps)
    expect((await waitForMail(test, user.email, 2)).subject).toBe('Your Lectern account was deleted')
    expect(await isThere(user)).toBe(false)
    expectRefusal(await get(other, `/api/notes/${own}`), 'note_not_found')
    expect((await get(other, `/api/notes/${liked}`)).json().likes).toBe(0)
    const me = (await getMe(test, other.auth)).json().user
    expect(me.likedNotes).toEqual([])
    expect(me.recentlyViewedNotes.map(({ _id }: { _id: string }) => _id)).toEqual([liked])
    await expectNoOrphanedFilesAfterSweep(test)
    const token = await register(test, user.email, password, 3)
    expect((await post(test, '/api/users/verify', { token })).statusCode).toBe(200)
    expect((await logIn(test, user.email)).json().user.likedNotes).toEqual([])
  })

  it.for(['remove', 'remove-now'] as const)(
    'anonymous notes go one by one: %s (G6)',
    async (notes, { user, other }) => {
      const named = await createNote(test, user)
      const anonymous = await Promise.all([1, 2, 3, 4, 5].map(() => createNote(test, user, { isAnonymous: true })))
      await comeDue(user, notes)
      await runJob(user)
      expectRefusal(await get(other, `/api/notes/${named}`), 'note_not_found')
      const findLeft = () => db.selectFrom('notes').select(['user_id', 'due_at']).where('id', 'in', anonymous).execute()
      const left = await findLeft()
      expect(left).toHaveLength(notes === 'remove' ? 5 : 0)
      expect(new Set(left.map(({ due_at }) => Number(due_at))).size).toBe(left.length)
      for (const { user_id, due_at } of left) {
        expect(user_id).toBeNull()
        expect(Number(due_at)).toBeGreaterThan(Date.now() - 60_000)
        expect(Number(due_at)).toBeLessThan(Date.now() + 30 * 86_400_000)
      }
      if (notes === 'remove-now') return
      // Overdue notes after an outage are deleted one by one, too.
      await sql`UPDATE notes SET due_at = 'epoch' WHERE id = ANY(${anonymous})`.execute(db)
      for (let count = 4; count >= 0; count--) {
        await inTransaction(db, settleDueNote)
        expect(await findLeft()).toHaveLength(count)
      }
      await expectNoOrphanedFilesAfterSweep(test)
    },
  )

  it('notes stay as anonymous ones, which others go on with', async () => {
    const user = await createUser(test, { name: 'Zyxwvut Canary' })
    const other = await createUser(test)
    const named = await createNote(test, user, { title: 'Zyxwvut week 1', courseCode: 'KEEP101' })
    const anonymous = await createNote(test, user, { title: 'Week 2', courseCode: 'KEEP101', isAnonymous: true })
    await rate(test, other, named, { likes: '+' })
    await view(other, [named])
    await comeDue(user, 'keep')
    await runJob(user)
    expect(await isThere(user)).toBe(false)
    for (const [id, title, likes] of [
      [named, 'week 1', 1],
      [anonymous, 'Week 2', 0],
    ] as const) {
      const answer = await get(other, `/api/notes/${id}`)
      expect(answer.json()).toMatchObject({ title, likes, isAnonymous: true, user: null })
      const file = await expectStatus(200, get(other, `/api/notes/${id}/view`))
      for (const response of [answer, file]) expectNoLeak(user, response)
    }
    expectRefusal(await get(other, `/api/people/${user.id}`), 'person_not_found')
    const list = await get(other, '/api/notes?courseCode=KEEP101')
    expect(list.json().notes).toHaveLength(2)
    expectNoLeak(user, list)
    const me = await getMe(test, other.auth)
    expect(me.json().user.likedNotes).toEqual([named])
    expect(me.json().user.recentlyViewedNotes).toHaveLength(1)
    expectNoLeak(user, me)
    // The remaining notes can be rated and appear for followers of the course like any others.
    expect((await rate(test, other, named, { likes: '-' })).json().likes).toBe(0)
    expect((await rate(test, other, anonymous, { likes: '+' })).json().likes).toBe(1)
    await test.app.inject({ method: 'POST', url: '/api/courses/KEEP101/follow', headers: other.auth })
    expect((await get(other, '/api/users/me/courses/notes')).json().notes).toHaveLength(2)
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('a note that takes too long to be made anonymous goes', async ({ user, other }) => {
    const costly = await createNote(test, user)
    await comeDue(user, 'keep')
    vi.spyOn(test.deps.pdf, 'runForOwner').mockRejectedValueOnce(new ApiError('upload_too_complex'))
    await runJob(user)
    expectRefusal(await get(other, `/api/notes/${costly}`), 'note_not_found')
    expect(await isThere(user)).toBe(false)
  })

  it('a note that cannot be made anonymous goes, and so does its file', async ({ user, other }) => {
    const broken = await createNote(test, user, { content: Buffer.from('%PDF-1.7\nnothing more') })
    const fine = await createNote(test, user)
    await comeDue(user, 'keep')
    await runJob(user)
    expectRefusal(await get(other, `/api/notes/${broken}`), 'note_not_found')
    expect((await get(other, `/api/notes/${fine}`)).json().user).toBeNull()
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('no new password is chosen', async ({ user }) => {
    const token = await requestReset(test, user.email)
    await comeDue(user, 'keep', 2)
    expectRefusal(await resetPassword(test, token, 'Mine again 42!'), 'reset_link_invalid')
    expect((await post(test, '/api/users/forgot-password', { email: user.email })).statusCode).toBe(200)
    expect((await waitForMail(test, user.email, 3)).subject).toBe('No Lectern account with this email')
  })

  it('the account is closed, and an interrupted run continues', async ({ user }) => {
    const noteIds = [await createNote(test, user), await createNote(test, user)]
    await comeDue(user, 'keep')
    const { runForOwner } = test.deps.pdf
    let turns = 0
    test.deps.pdf.runForOwner = (...given) => {
      if (turns++ > 0) throw new Error('cut off')
      return runForOwner(...given)
    }
    await expect(runJob(user)).rejects.toThrow('cut off')
    test.deps.pdf.runForOwner = runForOwner
    expectRefusal(await getMe(test, user.auth), 'unauthorized')
    expectRefusal(await logIn(test, user.email), 'invalid_credentials')
    expect(await isThere(user)).toBe(true)
    await Promise.all([runJob(user), runJob(user)])
    expect(await isThere(user)).toBe(false)
    const left = await db.selectFrom('notes').select(['user_id', 'is_anonymous']).where('id', 'in', noteIds).execute()
    expect(left).toEqual(Array(2).fill({ user_id: null, is_anonymous: true }))
    await runJob(user)
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('a note by name without an author is no state the database knows', async ({ user }) => {
    const noteId = await createNote(test, user)
    const orphan = db.updateTable('notes').set({ user_id: null }).where('id', '=', noteId)
    await expect(orphan.execute()).rejects.toThrow('violates check constraint')
  })
})
