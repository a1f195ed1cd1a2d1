import { sql } from 'kysely'
import { expect } from 'vitest'
import type { BackgroundOperations, PdfTools } from '../../../platform/pdf/pdf-tools.ts'
import { createUser, itWithUsers, openTestApp, type TestUser } from '../../../testing/app.ts'
import { uploadNote } from '../../../testing/form.ts'
import { createScannedPdf } from '../../../testing/scanned-pdf.ts'
import { documentOf, untilProcessed } from '../../../testing/stored-files.ts'
import { get, remove } from '../../../testing/students.ts'
import { enqueueOcr, runOcr } from './ocr.ts'
import { readText } from './text.ts'

// The jobs of this server recognise nothing, so that each test controls the recognition.
const test = await openTestApp()
const it = itWithUsers(test)
const { db, ocr } = test.deps
const deps = { ...test.deps, config: { ...test.deps.config, recognitionLanguages: ['eng'] } }

async function recognise(noteId: string, turn: Partial<BackgroundOperations> | null = null) {
  const { id } = await documentOf(test, noteId)
  const runInBackground: PdfTools['runInBackground'] = (signal, work) =>
    turn ? work(turn as BackgroundOperations) : ocr.runInBackground(signal, work)
  const { signal } = new AbortController()
  await runOcr({ ...deps, ocr: { ...ocr, runInBackground } }, { documentId: id }, { signal, attempt: 1 })
}

/** Uploads the scan, whose text is read then, but not recognised. */
async function share(owner: TestUser, isAnonymous = false): Promise<string> {
  const { _id } = await uploadNote(test, owner, scan, { isAnonymous })
  await untilProcessed(test)
  return _id
}
const find = ({ auth }: TestUser, noteId: string, page: number) =>
  get(test, `/api/notes/${noteId}/recognised-text?page=${page}`, auth)
const pagesOf = async (noteId: string) => {
  const { id } = await documentOf(test, noteId)
  const pages = db.selectFrom('document_pages').select(['page', 'text']).where('document_id', '=', id)
  return pages.orderBy('page').execute()
}
const stateOf = async (noteId: string) => {
  const { text_state, ocr_state, ocr_error } = await documentOf(test, noteId)
  return [text_state, ocr_state, ocr_error]
}
const scan = await createScannedPdf('Photosynthesis makes sugar', '', 'The Calvin cycle fixes carbon')

it('makes a scan searchable, page by page, and tells where its words stand', async ({ owner, reader }) => {
  const noteId = await share(owner, true)
  expect(await stateOf(noteId)).toEqual(['empty', 'pending', null])
  const problems = () => problemsOf(owner, noteId)
  expect(await problems()).toEqual([{ what: 'no_text' }])
  expect((await find(reader, noteId, 1)).json()).toEqual({ words: [] })
  await enqueueOcr(deps)
  expect((await documentOf(test, noteId)).ocr_requested_at).not.toBeNull()
  expect(await problems()).toEqual([{ what: 'no_text_yet' }])
  await recognise(noteId)
  expect(await stateOf(noteId)).toEqual(['done', 'done', null])
  expect(await pagesOf(noteId)).toEqual([
    { page: 1, text: 'Photosynthesis makes sugar' },
    { page: 2, text: '' },
    { page: 3, text: 'The Calvin cycle fixes carbon' },
  ])
  expect(await problems()).toBeUndefined()
  const found = await get(test, '/api/search?text=calvin%20cycle', reader.auth)
  expect(found.json().hits).toMatchObject([{ note: { _id: noteId } }])
  const { words } = (await find(reader, noteId, 1)).json()
  expect(words.map(({ text }: { text: string }) => text)).toEqual(['Photosynthesis', 'makes', 'sugar'])
  // The text is 24 points high, an inch from the left and the top of a page of 8.5 by 11 inches.
  const [left, top, width, height] = words[0].box
  expect(left).toBeCloseTo(72 / 612, 2)
  expect(top + height).toBeGreaterThan(72 / 792)
  expect(top).toBeLessThan(72 / 792)
  expect(width).toBeGreaterThan(0.2)
  expect(height).toBeLessThan(0.05)
})

it('keeps the recognised text when the text of the file is extracted again', async () => {
  const noteId = await share(await createUser(test))
  await recognise(noteId, { recognise: async () => ({ kind: 'ok', text: 'osmosis', words: [] }) })
  const { id } = await documentOf(test, noteId)
  await db.updateTable('documents').set({ text_state: 'pending' }).where('id', '=', id).execute()
  await readText(test.deps, { documentId: id }, { signal: new AbortController().signal, attempt: 1 })
  expect(await stateOf(noteId)).toEqual(['done', 'pending', null])
  await recognise(noteId, {})
  expect(await stateOf(noteId)).toEqual(['done', 'empty', null])
  expect(await pagesOf(noteId)).toEqual([1, 2, 3].map((page) => ({ page, text: 'osmosis' })))
})

it('answers 404 for an unknown note, and nothing for an unknown page', async ({ reader }) => {
  const noteId = await share(reader)
  expect((await find(reader, noteId, 999)).json()).toEqual({ words: [] })
  expect((await find(reader, '00000000-0000-4000-8000-000000000000', 1)).statusCode).toBe(404)
  expect((await find(reader, noteId, 0)).statusCode).toBe(400)
})

const box: [number, number, number, number] = [0, 0, 1, 1]
const words = (text: string) => ({ kind: 'ok' as const, text, words: [{ text, box }] })
const problemsOf = async (owner: TestUser, noteId: string) =>
  (await get(test, `/api/notes/${noteId}`, owner.auth)).json().document.problems

it('continues with the next page after three attempts, and informs the owner', async ({ owner }) => {
  const noteId = await share(owner)
  const tried: number[] = []
  const run = () =>
    recognise(noteId, {
      async recognise(_path, index) {
        tried.push(index + 1)
        return index === 1 ? { kind: 'timeout' } : words(`kept ${index + 1}`)
      },
    })
  await run()
  expect(await stateOf(noteId)).toEqual(['done', 'pending', null])
  await expect(run()).rejects.toThrow('timeout')
  await expect(run()).rejects.toThrow('timeout')
  await run()
  expect(await stateOf(noteId)).toEqual(['done', 'pending', null])
  expect((await documentOf(test, noteId)).ocr_requested_at).toBeNull()
  await run()
  expect(await stateOf(noteId)).toEqual(['done', 'done', null])
  expect(tried).toEqual([1, 2, 2, 2, 2, 3])
  expect((await pagesOf(noteId)).map(({ page }) => page)).toEqual([1, 3])
  expect(await problemsOf(owner, noteId)).toEqual([{ what: 'words', pages: [2] }])
})

it('tells its owner of pages beyond the limit', async ({ owner }) => {
  const noteId = await share(owner)
  const { id } = await documentOf(test, noteId)
  await db.updateTable('documents').set({ page_count: 502 }).where('id', '=', id).execute()
  await sql`INSERT INTO document_pages (document_id, page, text)
    SELECT ${id}, page, 'x' FROM generate_series(2, 500) page`.execute(db)
  await recognise(noteId, { recognise: async () => words('one') })
  expect(await stateOf(noteId)).toEqual(['done', 'done', null])
  expect(await problemsOf(owner, noteId)).toEqual([{ what: 'words', pages: [501, 502] }])
})

it('ends for good where the file is the problem', async ({ owner }) => {
  const noteId = await share(owner)
  await recognise(noteId, { recognise: async () => ({ kind: 'locked' }) })
  expect(await stateOf(noteId)).toEqual(['empty', 'failed', 'locked'])
  expect(await problemsOf(owner, noteId)).toEqual([{ what: 'no_text' }, { what: 'words', reason: 'locked' }])
})

it('leaves nothing behind of a note that goes meanwhile', async ({ owner }) => {
  const noteId = await share(owner)
  const { id } = await documentOf(test, noteId)
  await recognise(noteId, {
    async recognise() {
      await remove(test, `/api/users/me/notes/${noteId}`, owner.auth)
      return { kind: 'ok', text: 'late', words: [] }
    },
  })
  expect(await db.selectFrom('document_pages').selectAll().where('document_id', '=', id).execute()).toEqual([])
})

it('is not done where the operator turned it off, and no note waits for it', async ({ owner }) => {
  const noteId = await share(owner)
  await enqueueOcr(deps)
  expect(await problemsOf(owner, noteId)).toEqual([{ what: 'no_text_yet' }])
  await enqueueOcr(test.deps)
  expect(await problemsOf(owner, noteId)).toEqual([{ what: 'no_text' }])
  expect(await stateOf(noteId)).toEqual(['empty', 'pending', null])
})
