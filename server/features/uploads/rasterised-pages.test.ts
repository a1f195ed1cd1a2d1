import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak } from '../../testing/canary.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { createPdfToRasterise } from '../../testing/pdf-kinds.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { get, patch } from '../../testing/students.ts'

const test = await openTestApp()
const content = createPdfToRasterise('Zyxwvut Q\\344narywoman')

afterEach(async () => {
  await test.deps.db.deleteFrom('notes').execute()
  await expectNoOrphanedFilesAfterSweep(test)
  await test.deps.db.deleteFrom('users').execute()
})

const read = async (user: TestUser, noteId: string): Promise<Note> =>
  (await get(test, `/api/notes/by-id?ids=${noteId}`, user.auth)).json().notes[0]
const view = (user: TestUser, noteId: string) => get(test, `/api/notes/${noteId}/view`, user.auth)

async function share(owner: TestUser, isAnonymous: boolean): Promise<Note> {
  const response = await upload(test, owner, [...goodFields, field('isAnonymous', String(isAnonymous)), file(content)])
  expect(response.statusCode).toBe(201)
  return response.json().notes[0]
}

it('tells the owner alone which pages became pictures when a note is shared anonymously', async () => {
  const [owner, reader] = await Promise.all([createUser(test, canary), createUser(test)])
  const note = await share(owner, true)
  expect(note.document.drawnPages).toEqual([2])
  expect((await read(owner, note._id)).document.drawnPages).toEqual([2])
  expect((await read(reader, note._id)).document).not.toHaveProperty('drawnPages')
  const file = await view(reader, note._id)
  expect(file.rawPayload.toString('latin1')).toMatch(/^%PDF-/)
  expectNoLeak(owner, file)
})

it('reports them when a note becomes anonymous, but not while it is named', async () => {
  const owner = await createUser(test, canary)
  const note = await share(owner, false)
  expect(note.document).not.toHaveProperty('drawnPages')
  const edit = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }
  expect((await patch(test, `/api/users/me/notes/${note._id}`, edit, owner.auth)).statusCode).toBe(200)
  expect((await read(owner, note._id)).document.drawnPages).toEqual([2])
})
