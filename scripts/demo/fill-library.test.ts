import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createUser, openTestApp, type TestApp } from '../../server/testing/app.ts'
import { listStored } from '../../server/testing/storage-assertions.ts'
import { accessOf, get, logIn } from '../../server/testing/students.ts'
import { demoEmail, demoPassword, demoSize, fillLibrary, hasDemoStudent } from './fill-library.ts'

const size = { students: demoSize.students, notes: 40 }
const test = await openTestApp()
const { db, files } = test.deps

const progress: [number, number][] = []
const filled = await fillLibrary(test.deps, { ...size, onProgress: (done, total) => progress.push([done, total]) })
const notes = await db
  .selectFrom('notes')
  .innerJoin('users', 'users.id', 'user_id')
  .innerJoin('documents', 'documents.id', 'document_id')
  .selectAll('notes')
  .select(['file_key', 'bytes', 'sha256', 'page_count'])
  .select('users.name')
  .execute()

async function readStored(key: string): Promise<Buffer> {
  const content = await files.get(key)
  if (!content) throw new Error('A stored file is missing')
  return buffer(content)
}

async function countRows({ deps }: TestApp) {
  const tables = ['users', 'notes', 'ratings', 'recently_viewed', 'file_deletions'] as const
  const counts = await Promise.all(
    tables.map((table) =>
      deps.db
        .selectFrom(table)
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return Object.fromEntries(tables.map((table, index) => [table, Number(counts[index]?.count)]))
}

it('adds the requested notes, with one file each and no others', async () => {
  expect(filled).toBe(true)
  await expect.poll(() => countRows(test)).toMatchObject({ users: size.students, notes: size.notes, file_deletions: 0 })
  expect((await listStored(test)).files).toEqual(notes.map(({ file_key }) => file_key).sort())
  expect(new Set(notes.map(({ course_code }) => course_code)).size).toBe(12)
  expect(progress.at(-1)).toEqual([size.notes, size.notes])
})

it('stores PDFs that can be read, exactly as their rows say', async () => {
  for (const note of notes) {
    const bytes = await readStored(note.file_key)
    expect(note.page_count).toBeGreaterThanOrEqual(1)
    expect(bytes.length).toBe(note.bytes)
    expect(createHash('sha256').update(bytes).digest()).toEqual(note.sha256)
  }
})

it('keeps the author out of anonymous notes, and in the others', async () => {
  const authorEntry = '/Author'
  const anonymous = notes.filter(({ is_anonymous }) => is_anonymous)
  expect(anonymous.length).toBeGreaterThan(0)
  for (const { file_key, title, name } of anonymous) {
    expect((await readStored(file_key)).includes(authorEntry)).toBe(false)
    expect(title).not.toContain(name)
  }
  const signed = notes.find(({ is_anonymous }) => !is_anonymous)
  expect((await readStored(signed?.file_key ?? '')).includes(authorEntry)).toBe(true)
})

it('counts likes and dislikes as the ratings do, and no author rates their own note', async () => {
  const ratings = await db.selectFrom('ratings').selectAll().execute()
  expect(ratings.length).toBeGreaterThan(size.notes)
  for (const note of notes) {
    const own = ratings.filter(({ note_id }) => note_id === note.id)
    const likes = own.filter(({ liked }) => liked).length
    expect({ likes: note.likes, dislikes: note.dislikes }).toEqual({ likes, dislikes: own.length - likes })
    expect(own.map(({ user_id }) => user_id)).not.toContain(note.user_id)
    for (const { created_at } of own) expect(created_at.getTime()).toBeGreaterThanOrEqual(note.created_at.getTime())
  }
})

it('creates the printed login, with notes, likes and a history', async () => {
  expect(await hasDemoStudent(db)).toBe(true)
  const login = await logIn(test, demoEmail, demoPassword)
  expect(login.statusCode).toBe(200)
  const { user } = login.json()
  expect(user.likedNotesDisplay.length).toBeGreaterThan(5)
  expect(user.dislikedNotes.length).toBeGreaterThan(0)
  expect(user.recentlyViewedNotes.length).toBeGreaterThan(5)

  const mine = await get(test, '/api/users/me/notes', accessOf(login))
  const shown: { isAnonymous: boolean }[] = mine.json().notes
  expect(new Set(shown.map(({ isAnonymous }) => isAnonymous))).toEqual(new Set([true, false]))
})

it('adds nothing to a library in use', async () => {
  const used = await openTestApp()
  await createUser(used)
  expect(await fillLibrary(used.deps, size)).toBe(false)
  await expect.poll(() => countRows(used)).toMatchObject({ users: 1, notes: 0, file_deletions: 0 })
  expect(await hasDemoStudent(used.deps.db)).toBe(false)
})

it('shows nothing of a fill that was interrupted, and starts again', async () => {
  const other = await openTestApp()
  const stopping = new AbortController()
  const onProgress = (done: number) => done === 5 && stopping.abort()
  await expect(fillLibrary(other.deps, { notes: 40, onProgress, signal: stopping.signal })).rejects.toThrow()
  const left = await countRows(other)
  expect(left).toMatchObject({ users: 0, notes: 0, ratings: 0, recently_viewed: 0 })
  // The sweep knows the remaining files.
  expect(left.file_deletions).toBeGreaterThanOrEqual((await listStored(other)).files.length)

  expect(await fillLibrary(other.deps, size)).toBe(true)
  expect(await countRows(other)).toMatchObject({ users: size.students, notes: size.notes })
})

it('fills once when two begin at the same time', async () => {
  const shared = await openTestApp()
  const small = { notes: 6 }
  const results = await Promise.all([fillLibrary(shared.deps, small), fillLibrary(shared.deps, small)])
  expect(results.sort()).toEqual([false, true])
  await expect.poll(() => countRows(shared)).toMatchObject({ users: size.students, notes: 6, file_deletions: 0 })
  expect((await listStored(shared)).files).toHaveLength(6)
})
