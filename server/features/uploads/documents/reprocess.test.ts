import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildPdf } from '../../../../packages/pdfium/test/build-pdf.ts'
import { openTestApp } from '../../../testing/app.ts'
import { createNote, createUser } from '../../../testing/factories.ts'
import { lockedPdf } from '../../../testing/pdf-kinds.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../../testing/storage-assertions.ts'
import { documentOf } from '../../../testing/stored-files.ts'
import { reprocessDocuments } from './reprocess.ts'

const test = await openTestApp()
const { db } = test.deps
const owner = await createUser(test)

/** @param stopAfter the number of documents after which the run is aborted. */
async function reindex(all: boolean, stopAfter = Number.POSITIVE_INFINITY) {
  const patience = new AbortController()
  const seen: string[] = []
  const onProgress = (done: number, total: number) => {
    seen.push(`${done} of ${total}`)
    if (seen.length >= stopAfter) patience.abort()
  }
  const config = { ...test.deps.config, recognitionLanguages: ['eng'] }
  await reprocessDocuments({ ...test.deps, config }, { all, onProgress, signal: patience.signal })
  return seen
}

const thumbnails = async () =>
  (await db.selectFrom('thumbnails').select('key').orderBy('document_id').execute()).map(({ key }) => key)

it('processes what is missing or failed, continues where it was stopped, and processes all again on request', async () => {
  const ids = [await createNote(test, owner), await createNote(test, owner)]
  await sql`UPDATE documents SET text_state = 'failed', thumbnail_state = 'failed', thumbnail_error = 'timeout',
    thumbnail_attempts = 3`.execute(db)
  expect(await reindex(false, 1)).toEqual(['1 of 2'])
  expect(await reindex(false)).toEqual(['1 of 1'])
  ids.push(await createNote(test, owner, { content: lockedPdf() }))
  expect(await reindex(false)).toEqual(['1 of 1'])
  const states = await Promise.all(ids.map((id) => documentOf(test, id)))
  const done = ['done', 'done', null]
  const told = states.map((row) => [row.text_state, row.thumbnail_state, row.thumbnail_error])
  expect(told).toEqual([done, done, ['failed', 'failed', 'locked']])
  const made = await thumbnails()
  // A failed document is processed again, because it may succeed this time.
  expect(await reindex(false)).toEqual(['1 of 1'])
  expect(await thumbnails()).toEqual(made)

  expect(await reindex(true)).toEqual(['1 of 3', '2 of 3', '3 of 3'])
  const anew = await thumbnails()
  expect(anew).toHaveLength(2)
  for (const key of made) expect((await test.app.inject(`/api/thumbnails/${key}/small.webp`)).statusCode).toBe(404)
  for (const key of anew) expect((await test.app.inject(`/api/thumbnails/${key}/small.webp`)).statusCode).toBe(200)
  expect(await db.selectFrom('document_pages').select('page').execute()).toEqual([{ page: 1 }, { page: 1 }])
  await expectNoOrphanedFilesAfterSweep(test)
})

it('repeats OCR where it failed, and everywhere on request', async () => {
  const content = buildPdf({ content: '' })
  const { id } = await documentOf(test, await createNote(test, owner, { content }))
  const row = () => db.selectFrom('documents').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await reindex(false)
  const failed = { ocr_state: 'failed', ocr_error: 'timeout', ocr_attempts: 3 }
  const given = { ...failed, text_state: 'done', ocr_requested_at: new Date() }
  await db.updateTable('documents').set(given).where('id', '=', id).execute()
  const page = { document_id: id, page: 1, text: 'osmosis', words: '', fold_version: 1, ocr_words: '[]' }
  await db.insertInto('document_pages').values(page).execute()
  const asked = { ocr_state: 'pending', ocr_attempts: 0, ocr_requested_at: null }
  const pages = () => db.selectFrom('document_pages').select('text').where('document_id', '=', id).execute()

  await reindex(false)
  expect(await row()).toMatchObject({ ...asked, text_state: 'done' })
  expect(await pages()).toEqual([{ text: 'osmosis' }])
  await reindex(true)
  expect(await row()).toMatchObject({ ...asked, text_state: 'empty' })
  expect(await pages()).toEqual([])
})
