import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { expectNothingKept } from '../../testing/storage-assertions.ts'
import { deleteOldBatches } from './upload.ts'

const test = await openTestApp()
const { db } = test.deps

const list = async (user: TestUser, url = '/api/users/me/notes') =>
  (await test.app.inject({ url, headers: user.auth })).json<{ notes: Note[] }>().notes
const titles = async (user: TestUser) => (await list(user)).map(({ title }) => title)
const share = (user: TestUser, batch: string, position: number, title = `File ${position}`) =>
  upload(test, user, [
    ...goodFields,
    field('batch', batch),
    field('position', String(position)),
    field('isAnonymous', String(position % 2 === 1)),
    file(onePagePdf, `${title}.pdf`),
  ])

it('lists the files of one request as they were chosen, and earlier uploads below', async () => {
  const user = await createUser(test)
  await upload(test, user, [...goodFields, file(onePagePdf, 'Before.pdf')])
  const names = Array.from({ length: 8 }, (_, at) => `Week ${at + 1}`)
  await upload(test, user, [...goodFields, ...names.map((name) => file(onePagePdf, `${name}.pdf`))])
  expect(await titles(user)).toEqual([...names, 'Before'])
})

it('lists the requests of one upload as they were chosen, whichever comes first, two at a time', async () => {
  const [user, other] = await Promise.all([createUser(test), createUser(test)])
  const batch = crypto.randomUUID()
  for (const positions of [[3, 1], [4, 0], [2]]) {
    const answers = await Promise.all(positions.map((position) => share(user, batch, position)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(positions.map(() => 201))
    // Another user's upload with the same batch id is a different upload.
    await share(other, batch, positions[0] ?? 0)
  }
  await share(user, crypto.randomUUID(), 0, 'After')
  expect(await titles(user)).toEqual(['After', 'File 0', 'File 1', 'File 2', 'File 3', 'File 4'])
  expect(await titles(other)).toEqual(['File 2', 'File 3', 'File 4'])
})

it('goes on behind any note of an upload, also behind one that is gone by then', async () => {
  const user = await createUser(test)
  const batch = crypto.randomUUID()
  for (const position of [2, 0, 3, 1]) await share(user, batch, position)
  const notes = await list(user)
  const after = async ({ _id, createdAt }: Note) => {
    const query = new URLSearchParams({ cursorId: _id, cursorValue: createdAt })
    return (await list(user, `/api/users/me/notes?${query}`)).map(({ title }) => title)
  }
  for (const [at, note] of notes.entries()) {
    expect(await after(note)).toEqual(notes.slice(at + 1).map(({ title }) => title))
  }
  const [, second] = notes
  if (!second) throw new Error('Four notes were shared')
  await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${second._id}`, headers: user.auth })
  // Notes before the cursor may be repeated; notes after it are never skipped.
  expect((await after(second)).slice(-2)).toEqual(['File 2', 'File 3'])
})

it('tells others nothing of it: they see when each note came, and the order of that', async () => {
  const [user, stranger] = await Promise.all([createUser(test), createUser(test)])
  const batch = crypto.randomUUID()
  for (const position of [1, 2, 0]) await share(user, batch, position, `Canary ${position}`)
  const seen = await list(stranger, '/api/notes?title=canary')
  const made = seen.map(({ createdAt, _id }) => `${createdAt} ${_id}`)
  expect(made).toEqual(made.toSorted().toReversed())
  // `createdAt` is the real creation time, not the list position.
  const rows = await db.selectFrom('notes').select(['id', 'created_at']).where('user_id', '=', user.id).execute()
  for (const { _id, createdAt } of seen) {
    expect(rows.find(({ id }) => id === _id)?.created_at.toISOString()).toBe(createdAt)
  }
  const kinds = seen.map((note) => Object.keys(note).sort().join())
  expect(new Set(kinds).size).toBe(1)
  expect(kinds[0]).not.toMatch(/listed|batch|position/)
})

it.each([
  ['batch', 'not-an-id'],
  ['position', '-1'],
  ['position', '1.5'],
  ['position', '99999'],
])('refuses %s %j, and keeps nothing', async (name, value) => {
  const user = await createUser(test)
  const response = await upload(test, user, [...goodFields, field(name, value), file()])
  expect(response.statusCode).toBe(400)
  expect(Object.keys(response.json().fields)).toEqual([name])
  await expectNothingKept(test, user.id)
})

it('forgets after a day what belonged together', async () => {
  const user = await createUser(test)
  await share(user, crypto.randomUUID(), 0)
  const own = db.selectFrom('upload_batches').select('id').where('user_id', '=', user.id)
  await deleteOldBatches(db)
  expect(await own.execute()).toHaveLength(1)
  await sql`UPDATE upload_batches SET began_at = ${new Date(Date.now() - 25 * 3_600_000)}`.execute(db)
  await deleteOldBatches(db)
  expect(await own.execute()).toEqual([])
})
