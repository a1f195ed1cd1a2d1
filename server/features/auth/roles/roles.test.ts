import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { runRoleCommand } from '../../../operations/admin/members.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { createNote, createUser, itWithUsers, openTestApp, openTestAppOn, type TestUser } from '../../../testing/app.ts'
import { recordOutput } from '../../../testing/log.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { patch, post } from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { setRole } from './roles.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const other = await openTestAppOn(test)
const { db } = test.deps

const give = async (email: string, role: string) => {
  const { said, out } = recordOutput()
  return { done: await runRoleCommand(test.deps, email, role, out), said: said.join('') }
}
const roleOf = async ({ auth }: { auth: { authorization: string } }) => {
  const answers = await Promise.all([test, other].map(({ app }) => app.inject({ url: '/api/users/me', headers: auth })))
  return answers.map((answer) => answer.json().user.role)
}
const entriesOf = async (id: string) =>
  (await db.selectFrom('audit_entries').selectAll().where('subject_id', '=', id).orderBy('number').execute()).map(
    ({ action, actor_id, details }) => ({ action, actor_id, details }),
  )

it('grants a role to an account and revokes it, on every server, and logs both', async ({ user }) => {
  expect(await roleOf(user)).toEqual([undefined, undefined])
  expect(await give(` ${user.email.toUpperCase()} `, 'moderator')).toMatchObject({ done: true })
  expect(await roleOf(user)).toEqual(['moderator', 'moderator'])
  expect((await give(user.email, 'student')).said).toContain('(was moderator)')
  expect(await roleOf(user)).toEqual([undefined, undefined])
  expect(await entriesOf(user.id)).toEqual([
    { action: 'role', actor_id: null, details: { from: 'student', to: 'moderator' } },
    { action: 'role', actor_id: null, details: { from: 'moderator', to: 'student' } },
  ])
})

it('changes nothing for the current role, an unknown role and an address without an account', async ({ user }) => {
  expect(await give(user.email, 'student')).toMatchObject({ done: true })
  await expect(give(user.email, 'owner')).rejects.toThrow('Unknown role “owner”. Use one of student, moderator, admin.')
  expect(await give('nobody@uni.example', 'admin')).toMatchObject({ done: false })
  expect(await entriesOf(user.id)).toEqual([])
})

it('is granted by an admin, with an entry in the log, but not to themselves', async () => {
  const [admin, user] = [await createUser(test), await createUser(test)]
  await give(admin.email, 'admin')
  const change = (id: string, role: string, by = admin) =>
    patch(test, `/api/admin/members/${id}/role`, { role }, by.auth)
  expect((await change(user.id, 'moderator')).statusCode).toBe(204)
  expect(await roleOf(user)).toEqual(['moderator', 'moderator'])
  expectRefusal(await change(admin.id, 'admin', user), 'not_found')
  expectRefusal(await change(admin.id, 'student'), 'own_account')
  expectRefusal(await change(randomUUID(), 'student'), 'member_not_found')
  expect((await change(user.id, 'owner')).json().code).toBe('invalid_input')
  expect(await roleOf(admin)).toEqual(['admin', 'admin'])
  expect(await entriesOf(user.id)).toEqual([
    { action: 'role', actor_id: admin.id, details: { from: 'student', to: 'moderator' } },
  ])
})

it('keeps an audit log that cannot be edited', async ({ user }) => {
  await give(user.email, 'admin')
  for (const edit of ["UPDATE audit_entries SET details = '{}'", 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])
    await expect(sql.raw(edit).execute(db)).rejects.toThrow('audit_entries is only ever added to')
  await db.deleteFrom('users').where('id', '=', user.id).execute()
  expect(await entriesOf(user.id)).toHaveLength(1)
})

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

it.each(acts)('%s is refused to an admin whose role went or who was suspended while it waited', async (_what, act) => {
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
})

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
