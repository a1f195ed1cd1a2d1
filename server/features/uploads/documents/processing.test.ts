import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import decodeWebp, { init } from '@jsquash/webp/decode.js'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../../packages/contract/notes.ts'
import {
  buildPdf,
  deflated,
  drawing,
  layOut,
  type PdfParts,
  stream,
} from '../../../../packages/pdfium/test/build-pdf.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../../testing/app.ts'
import { canary, expectNoLeak } from '../../../testing/canary.ts'
import { uploadNote } from '../../../testing/form.ts'
import { jobContext } from '../../../testing/jobs.ts'
import { lockedPdf, pdfByAuthor } from '../../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../../testing/storage-assertions.ts'
import { documentOf, untilProcessed } from '../../../testing/stored-files.ts'
import { get, makeAnonymous, remove } from '../../../testing/students.ts'
import { reprocessDocuments } from './reprocess.ts'
import { readText } from './text.ts'

/** The decoder returns this class of browsers. */
class ImageData {
  data: Uint8ClampedArray
  width: number
  height: number
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData })
const decoder = fileURLToPath(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm'))
await init(new WebAssembly.Module(readFileSync(decoder)))

const test = await openTestApp()
const { db } = test.deps
const getNote = async (user: TestUser, id: string) => (await get(test, `/api/notes/${id}`, user.auth)).json<Note>()
const getThumbnail = (key: string | null, size = 'large') => test.app.inject(`/api/thumbnails/${key}/${size}.webp`)
const pages = db.selectFrom('document_pages').select(['page', 'text']).orderBy('page')
const pagesOf = (documentId: string) => pages.where('document_id', '=', documentId).execute()

type Given = { isAnonymous?: boolean; owner?: TestUser }

/** Uploads a file and waits until its processing has ended. */
async function process(content: Uint8Array, { isAnonymous = false, owner }: Given = {}) {
  const user = owner ?? (await createUser(test))
  const uploaded = await uploadNote(test, user, content, { isAnonymous })
  expect(uploaded.document).toMatchObject({ isProcessing: true, thumbnail: null })
  await untilProcessed(test)
  const note = await getNote(user, uploaded._id)
  expect(note.document.isProcessing).toBe(false)
  const row = await documentOf(test, note._id)
  return { user, note, row, pages: await pagesOf(row.id) }
}

/** Returns the thumbnail's size and its darkest grey value, 0 to 255. */
async function look(key: string | null, size = 'large') {
  const { rawPayload } = await getThumbnail(key, size)
  const { width, height, data }: ImageData = await decodeWebp(new Uint8Array(rawPayload).buffer)
  return { width, height, darkest: data.reduce((darkest, value) => Math.min(darkest, value)) }
}

/** A PDF with one page for each content stream. */
function pagesSaying(...contents: string[]): Buffer {
  const pageAt = (index: number) => 4 + 2 * index
  return layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${contents.map((_, index) => `${pageAt(index)} 0 R`).join(' ')}]/Count ${contents.length}
      /MediaBox[0 0 300 200]/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${pageAt(index) + 1} 0 R>>`,
      stream(content),
    ]),
  ])
}
const saying = (text: string, y = 100) => `BT /F1 24 Tf 20 ${y} Td (${text}) Tj ET`
function pageOf(box: string, parts: PdfParts = {}) {
  const page = buildPdf({ content: '0 0 99999 99999 re f', ...parts }).toString('latin1')
  return Buffer.from(page.replace('[0 0 300 200]', `[${box}]`), 'latin1')
}

afterEach(async () => {
  await db.deleteFrom('notes').execute()
  await expectNoOrphanedFilesAfterSweep(test)
})

it('text of a note is kept although its author has left', async () => {
  const { note, row } = await process(pagesSaying(saying('eigenvalues')))
  await sql`UPDATE notes SET user_id = NULL, is_anonymous = true WHERE id = ${note._id}`.execute(db)
  await db.deleteFrom('document_pages').execute()
  await db.updateTable('documents').set({ text_state: 'pending' }).where('id', '=', row.id).execute()
  await readText(test.deps, { documentId: row.id }, jobContext)
  expect(await pagesOf(row.id)).toEqual([{ page: 1, text: 'eigenvalues' }])
})

it('text is kept by page, with words whole and without what no database keeps', async () => {
  const divided = `${saying('the eigen-', 120)} ${saying('values of a', 90)}`
  const { row, pages } = await process(pagesSaying(saying('All\\000 eigenvalues'), '', divided))
  expect(pages).toEqual([
    { page: 1, text: 'All eigenvalues' },
    { page: 3, text: 'the eigenvalues of a' },
  ])
  expect(row).toMatchObject({ text_state: 'done', text_error: null, page_count: 3, outline: [] })
})

it('text is stored up to 2 MB, which count as uploaded, and the owner sees that the rest is missing', async () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => `(${`word${n} `.repeat(10)}) Tj T*`).join(' ')
  const content = `BT /F1 1 Tf 1 TL 0 100 Td ${lines} ET`
  const { user, note, row, pages } = await process(pagesSaying(...Array<string>(30).fill(content)))
  expect(pages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBe(2 * 2 ** 20)
  expect(row).toMatchObject({ text_state: 'done', ocr_state: 'none' })
  expect(note.document.problems).toEqual([{ what: 'text_cut' }])
  const counted = await db.selectFrom('uploads').select('bytes').where('user_id', '=', user.id).execute()
  expect(counted).toEqual([{ bytes: 2 * 2 ** 20 }])
})

it('text includes the outline of the file', async () => {
  const { row } = await process(
    buildPdf({
      catalog: '/Outlines 6 0 R',
      objects: [
        '<</Type/Outlines/First 7 0 R/Last 8 0 R>>',
        '<</Title(Week 1)/Parent 6 0 R/Next 8 0 R/Dest[3 0 R/Fit]/First 9 0 R/Last 9 0 R>>',
        '<</Title(To nowhere)/Parent 6 0 R/Prev 7 0 R/Next 7 0 R>>',
        '<</Title<FEFF03BB>/Parent 7 0 R/A<</S/GoTo/D[3 0 R/Fit]>>>>',
      ],
    }),
  )
  expect(row.outline).toEqual([
    { title: 'Week 1', page: 1, depth: 0 },
    { title: 'λ', page: 1, depth: 1 },
  ])
})

it('text is reported to the owner as missing where a page is a picture', async () => {
  const image = '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8'
  const grey = deflated(Buffer.alloc(64 * 64, 90), image)
  const scan = drawing('q 200 0 0 100 50 50 cm /X Do Q', grey)
  const { note, row, pages } = await process(scan)
  expect([row.text_state, pages]).toEqual(['empty', []])
  expect(note.document.problems).toEqual([{ what: 'no_text' }])
  expect((await getNote(await createUser(test), note._id)).document.problems).toBeUndefined()
  expect((await look(note.document.thumbnail)).darkest).toBeGreaterThan(60)
})

it.each([
  ['portrait', pageOf('0 0 612 792'), 828],
  ['landscape', pageOf('0 0 960 540'), 360],
  ['rotated', pageOf('0 0 960 540', { page: '/Rotate 90' }), 1138],
  ['huge', pageOf('0 0 14400 14400'), 640],
  ['a point wide and high', pageOf('0 0 1 1'), 640],
  ['as long as a scroll', pageOf('0 0 10 14400'), 1920],
  ['as wide as a banner', pageOf('0 0 14400 10'), 213],
  ['in inks', pageOf('0 0 200 200', { content: '1 0 0 0 k 0 0 200 200 re f' }), 640],
])('thumbnails show a page that is %s', async (_what, content, height) => {
  const { note } = await process(content)
  const large = await look(note.document.thumbnail)
  expect(large).toMatchObject({ width: 640, height })
  expect(large.darkest).toBeLessThan(10)
  expect(await look(note.document.thumbnail, 'small')).toMatchObject({ width: 320, height: Math.floor(height / 2) })
})

it('thumbnails show the first page that is not blank, or the first', async () => {
  const second = await process(pagesSaying('', saying('Here'), '0 0 999 999 re f'))
  expect((await look(second.note.document.thumbnail)).darkest).toBeLessThan(100)
  const none = await process(pagesSaying('', ''))
  expect(await look(none.note.document.thumbnail)).toEqual({ width: 640, height: 427, darkest: 255 })
})

it('thumbnails may be kept for long by the browser that asked, under an address that ends with the note', async () => {
  const { user, note } = await process(buildPdf())
  const key = note.document.thumbnail
  for (const size of ['small', 'large']) {
    const { statusCode, headers } = await getThumbnail(key, size)
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp'])
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  }
  expectRefusal(await getThumbnail('a'.repeat(32)), 'thumbnail_not_found')
  // The key consists of 192 random bits.
  expect(key).toMatch(/^[\w-]{32}$/)
  expect((await getThumbnail(key, 'huge')).statusCode).toBe(400)
  await remove(test, `/api/users/me/notes/${note._id}`, user.auth)
  const gone = await getThumbnail(key)
  expectRefusal(gone, 'thumbnail_not_found')
  expect(gone.headers['cache-control']).toBe('no-store')
})

it.each(['%00', 'a%00b', '%20', '..%2f..%2fsecret', 'ü', 'a'.repeat(100)])('thumbnails are not at %s', async (key) => {
  expectRefusal(await getThumbnail(key), 'invalid_input', 'This is no key.')
})

it('thumbnails of an anonymous note contain no name, in no byte, header or URL', async () => {
  const owner = await createUser(test, canary)
  const { note } = await process(pdfByAuthor('Zyxwvut Q\\344narywoman'), { isAnonymous: true, owner })
  for (const size of ['small', 'large']) {
    const answer = await getThumbnail(note.document.thumbnail, size)
    expectNoLeak(owner, answer)
    // A WebP of this format contains pixels alone, and another one has the mark VP8X.
    expect(answer.rawPayload.toString('latin1', 12, 16)).toBe('VP8 ')
  }
  const words = JSON.stringify([note.document.thumbnail, await pagesOf((await documentOf(test, note._id)).id)])
  expect(words).not.toMatch(/zyxwvut/i)
})

it('thumbnails and text of a note that becomes anonymous are created again, and nothing of the old ones stays', async () => {
  const { user, note, row } = await process(buildPdf())
  const edited = await makeAnonymous(test, user, note._id)
  expect(edited.json().document.thumbnail).not.toBe(note.document.thumbnail)
  expect((await getThumbnail(note.document.thumbnail)).statusCode).toBe(404)
  expect(await pagesOf(row.id)).toEqual([])
  await untilProcessed(test)
  const { thumbnail } = (await getNote(user, note._id)).document
  expect(thumbnail).not.toBe(note.document.thumbnail)
  expect((await getThumbnail(thumbnail)).statusCode).toBe(200)
})

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
  expect([await reindex(false, 1), await reindex(false)]).toEqual([['1 of 2'], ['1 of 1']])
  ids.push(await createNote(test, owner, { content: lockedPdf() }))
  expect(await reindex(false)).toEqual(['1 of 1'])
  const states = await Promise.all(ids.map((id) => documentOf(test, id)))
  const done = ['done', null, 'done', null]
  const told = states.map((row) => [row.text_state, row.text_error, row.thumbnail_state, row.thumbnail_error])
  expect(told).toEqual([done, done, ['failed', 'locked', 'failed', 'locked']])
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
