import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { runRoleCommand } from '../../../operations/admin/members.ts'
import { openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { createUser } from '../../../testing/factories.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { patch } from '../../../testing/students.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
const { db } = test.deps

const give = async (email: string, role: string) => {
  let said = ''
  const write = (text: string) => {
    said += text
    return true
  }
  return { done: await runRoleCommand(test.deps, email, role, { write }), said }
}
const roleOf = async ({ auth }: { auth: { authorization: string } }) => {
  const answers = await Promise.all([test, other].map(({ app }) => app.inject({ url: '/api/users/me', headers: auth })))
  return answers.map((answer) => answer.json().user.role)
}
const entriesOf = async (id: string) =>
  (await db.selectFrom('audit_entries').selectAll().where('subject_id', '=', id).orderBy('number').execute()).map(
    ({ action, actor_id, details }) => ({ action, actor_id, details }),
  )

it('gives a role to an account, and takes it away, on every server, and writes both down', async () => {
  const user = await createUser(test)
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

it('changes nothing for the current role, an unknown role and an address without an account', async () => {
  const user = await createUser(test)
  expect(await give(user.email, 'student')).toMatchObject({ done: true })
  await expect(give(user.email, 'owner')).rejects.toThrow('Unknown role “owner”. Use one of student, moderator, admin.')
  expect(await give('nobody@uni.example', 'admin')).toMatchObject({ done: false })
  expect(await entriesOf(user.id)).toEqual([])
})

it('is given by an admin, too, who has it written down, and not to oneself', async () => {
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

it('keeps an audit log that cannot be edited', async () => {
  const user = await createUser(test)
  await give(user.email, 'admin')
  for (const edit of [
    sql`UPDATE audit_entries SET details = '{}'`,
    sql`DELETE FROM audit_entries`,
    sql`TRUNCATE audit_entries`,
  ]) {
    await expect(edit.execute(db)).rejects.toThrow('audit_entries is only ever added to')
  }
  await db.deleteFrom('users').where('id', '=', user.id).execute()
  expect(await entriesOf(user.id)).toHaveLength(1)
})
