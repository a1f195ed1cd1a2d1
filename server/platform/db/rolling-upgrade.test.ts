import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openTestApp, openTestAppOn, type TestApp } from '../../testing/app.ts'
import { createUser, type TestUser } from '../../testing/factories.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { quietLog } from '../../testing/log.ts'
import { logIn } from '../../testing/students.ts'
import { migrate, type Release, readRelease, toSqlFile } from './migrate.ts'

/** The most that a migration may change while servers of the previous release run: see CONTRIBUTING.md. */
const additions = [
  ...['notes', 'documents', 'users', 'sessions', 'ratings', 'known_devices', 'uploads'].map(
    (table) => `ALTER TABLE ${table} ADD COLUMN later integer NOT NULL DEFAULT 7`,
  ),
  'CREATE TABLE shelves (note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE)',
]

/** Shares, finds, opens, likes, changes and deletes a note. */
async function useLectern(test: TestApp, author: TestUser, reader: TestUser): Promise<void> {
  async function ask(user: TestUser, method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object) {
    const response = await test.app.inject({ method, url, headers: user.auth, ...(payload && { payload }) })
    expect([url, response.statusCode, response.statusCode < 300 ? '' : response.body]).toEqual([
      url,
      expect.any(Number),
      '',
    ])
    return response
  }
  expect((await logIn(test, author.email)).statusCode).toBe(200)
  const title = `Week ${randomBytes(4).toString('hex')}`
  const shared = await upload(test, author, [
    ...goodFields,
    field('isAnonymous', 'false'),
    file(undefined, `${title}.pdf`),
  ])
  const id = shared.json().notes[0]._id
  const listed = await ask(reader, 'GET', `/api/notes?title=${encodeURIComponent(title)}`)
  expect(listed.json().notes).toMatchObject([{ _id: id }])
  const found = await ask(reader, 'GET', `/api/search?text=${encodeURIComponent(title)}`)
  expect(found.json().hits).toMatchObject([{ note: { _id: id } }])
  await ask(reader, 'GET', `/api/notes/${id}/view`)
  await ask(reader, 'PATCH', `/api/notes/${id}/rating`, { likes: '+' })
  const own = `/api/users/me/notes/${id}`
  await ask(author, 'PATCH', own, { courseCode: 'CSC108', academicYear: '2025–26', isAnonymous: true })
  await ask(author, 'DELETE', own)
}

it('a server goes on while the next release migrates its database, and starts there again', async () => {
  const test = await openTestApp()
  const [author, reader] = [await createUser(test), await createUser(test)]
  await useLectern(test, author, reader)

  const own = await readRelease()
  let isMigrated = false
  const users = [1, 2, 3].map(async () => {
    do await useLectern(test, author, reader)
    while (!isMigrated)
  })
  const files = additions.map((text, n) => toSqlFile(`000${n + 1}_later.sql`, text))
  const next: Release = { version: '1.1.0', files: [...own.files, ...files] }
  await migrate(test.databaseUrl, quietLog, next)
  isMigrated = true
  await Promise.all(users)
  await useLectern(test, author, reader)

  await migrate(test.databaseUrl, quietLog, { ...own, version: '1.0.0' })
  await useLectern(await openTestAppOn(test), author, reader)
})
