import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak } from '../../testing/canary.ts'
import { uploadNote } from '../../testing/form.ts'
import { createPdfToRasterise } from '../../testing/pdf-kinds.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { get, makeAnonymous } from '../../testing/students.ts'

const test = await openTestApp()
const content = createPdfToRasterise('Zyxwvut Q\\344narywoman')

afterEach(async () => {
  await test.deps.db.deleteFrom('notes').execute()
  await expectNoOrphanedFilesAfterSweep(test)
  await test.deps.db.deleteFrom('users').execute()
})

const read = async (user: TestUser, noteId: string): Promise<Note> =>
  (await get(test, `/api/notes/by-id?ids=${noteId}`, user.auth)).json().notes[0]

it('tells the owner alone which pages became pictures when a note is shared anonymously', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const note = await uploadNote(test, owner, content, { isAnonymous: true })
  expect(note.document.drawnPages).toEqual([2])
  expect((await read(owner, note._id)).document.drawnPages).toEqual([2])
  expect((await read(reader, note._id)).document).not.toHaveProperty('drawnPages')
  const file = await get(test, `/api/notes/${note._id}/view`, reader.auth)
  expect(file.rawPayload.toString('latin1')).toMatch(/^%PDF-/)
  expectNoLeak(owner, file)
})

it('reports them when a note becomes anonymous, but not while it is named', async () => {
  const owner = await createUser(test, canary)
  const note = await uploadNote(test, owner, content)
  expect(note.document).not.toHaveProperty('drawnPages')
  await makeAnonymous(test, owner, note._id)
  expect((await read(owner, note._id)).document.drawnPages).toEqual([2])
})
