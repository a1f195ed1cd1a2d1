import { expect, it } from 'vitest'
import type { Tx } from '../../../platform/db/pool.ts'
import { openTestApp } from '../../../testing/app.ts'
import { createNote, createUser, type TestUser } from '../../../testing/factories.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { patch, post } from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { setRole } from './roles.ts'

const test = await openTestApp()
const { db } = test.deps

const createAdmin = () => createUser(test, { role: 'admin' })
const changeRole = (id: string, role: string, by: TestUser) =>
  patch(test, `/api/admin/members/${id}/role`, { role }, by.auth)
const announcement = { text: 'Closed.', days: 1 }
const grounds = { days: null, reason: 'Sold exams.' }
const suspend = (id: string, by: TestUser) =>
  post(test, `/api/admin/members/${id}/suspension`, { ...grounds, hidesNotes: false }, by.auth)

/** These are all actions of admins on a student and an anonymous note. */
const acts: [string, (by: TestUser, user: TestUser, noteId: string) => ReturnType<typeof patch>][] = [
  ['a role', (by, user) => changeRole(user.id, 'moderator', by)],
  ['a suspension', (by, user) => suspend(user.id, by)],
  ['a suspension behind it', (by, _, noteId) => post(test, `/api/admin/notes/${noteId}/suspension`, grounds, by.auth)],
  ['a quota', (by, user) => patch(test, `/api/admin/members/${user.id}/quota`, { dailyUploadMb: 5 }, by.auth)],
  ['what is set for all', (by) => patch(test, '/api/admin/settings', { announcement }, by.auth)],
  ['an invitation', (by) => post(test, '/api/admin/invitations', { email: 'new@uni.example' }, by.auth)],
]

it.each(acts)(
  '%s is refused to an admin whose role went, or who was suspended, while it waited',
  async (_what, act) => {
    const [admin, user] = [await createAdmin(), await createUser(test)]
    const noteId = await createNote(test, await createUser(test), { isAnonymous: true })
    const columns = { user_id: admin.id, until: null, reason: 'Sold exams.', hides_notes: false }
    const actWhile = (happens: (tx: Tx) => Promise<unknown>) =>
      whileLocked(test, { hold: (tx) => lockUser(tx, admin.id), ask: () => act(admin, user, noteId), happens })
    const demote = (tx: Tx) => tx.updateTable('users').set({ role: 'student' }).where('id', '=', admin.id).execute()
    expectRefusal(await actWhile(demote), 'not_found')
    await setRole(test.deps, admin.email, 'admin')
    expectRefusal(await actWhile((tx) => tx.insertInto('suspensions').values(columns).execute()), 'unauthorized')
    expect(await db.selectFrom('audit_entries').select('number').where('actor_id', '=', admin.id).execute()).toEqual([])
  },
)

it.each([
  ['their roles', (by: TestUser, other: TestUser) => changeRole(other.id, 'student', by)],
  ['their accounts', (by: TestUser, other: TestUser) => suspend(other.id, by)],
])('of two admins who remove each other simultaneously one stays: %s', async (_what, remove) => {
  for (let round = 0; round < 5; round++) {
    const [one, other] = [await createAdmin(), await createAdmin()]
    const answers = await Promise.all([remove(one, other), remove(other, one)])
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
  }
})

it('an admin cannot change their own account by writing its id in another form', async () => {
  const admin = await createAdmin()
  expectRefusal(await changeRole(admin.id.toUpperCase(), 'student', admin), 'own_account')
  expectRefusal(await suspend(admin.id.toUpperCase(), admin), 'own_account')
})
