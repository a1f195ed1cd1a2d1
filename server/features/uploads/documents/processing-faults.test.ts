import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPdf } from '../../../../packages/pdfium/test/build-pdf.ts'
import { brokenFiles, makeEndlessFile } from '../../../../packages/pdfium/test/hostile-files.ts'
import type { Deps } from '../../../dependencies.ts'
import type { JobRegistration } from '../../../platform/jobs/job.ts'
import { createPdfTools, type PdfTools } from '../../../platform/pdf/pdf-tools.ts'
import { createNote, createUser, openTestApp } from '../../../testing/app.ts'
import { drainJobs } from '../../../testing/drain-jobs.ts'
import { quietLog } from '../../../testing/log.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../../testing/storage-assertions.ts'
import { documentOf, untilProcessed } from '../../../testing/stored-files.ts'
import { makeAnonymous } from '../../../testing/students.ts'
import { documentJobs } from './documents.jobs.ts'
import { enqueueStaleDocuments } from './enqueue-processing.ts'
import type { ProcessingDeps } from './processing.ts'
import { readText } from './text.ts'
import { createThumbnail } from './thumbnail.ts'

const test = await openTestApp()
const { db } = test.deps
const signal = new AbortController().signal

const folder = `${test.deps.config.dataDir}/spool`
const pdf = createPdfTools({ log: quietLog, folder, timeoutsMs: { readText: 1_000, renderThumbnail: 1_000 } })
afterAll(() => pdf.close())
const impatient = { ...test.deps, pdf }
const jobs = { text: readText, thumbnail: createThumbnail }
type Product = keyof typeof jobs

/** Creates a note whose jobs are not enqueued. */
async function create(content?: Uint8Array) {
  const owner = await createUser(test)
  const noteId = await createNote(test, owner, { ...(content && { content }) })
  const { id: documentId } = await documentOf(test, noteId)
  const run = (product: Product, deps: ProcessingDeps = test.deps, attempt = 1) =>
    jobs[product](deps, { documentId }, { signal, attempt })
  return { owner, noteId, documentId, run, row: () => documentOf(test, noteId) }
}

/** Runs `act` after the process has finished and before its result is stored. */
const meanwhile = (act: () => Promise<unknown>): ProcessingDeps => {
  const runInBackground: PdfTools['runInBackground'] = async (...args) => {
    const made = await test.deps.pdf.runInBackground(...args)
    await act()
    return made
  }
  return { ...test.deps, pdf: { ...test.deps.pdf, runInBackground } }
}

async function expectNothingMade() {
  expect(await db.selectFrom('document_pages').select('page').execute()).toEqual([])
  expect(await db.selectFrom('thumbnails').select('key').execute()).toEqual([])
  await expectNoOrphanedFilesAfterSweep(test)
}

beforeEach(async () => {
  await db.deleteFrom('notes').execute()
  await sql`DELETE FROM pgboss.job WHERE name IN ('read-text', 'create-thumbnail')`.execute(db)
})

describe.each(['text', 'thumbnail'] as const)('a %s', (product) => {
  it('of a file that hangs fails after three tries', async () => {
    const { run, row } = await create(makeEndlessFile())
    for (const tries of [1, 2]) {
      await expect(run(product, impatient)).rejects.toThrow('timeout')
      expect(await row()).toMatchObject({ [`${product}_state`]: 'pending', [`${product}_attempts`]: tries })
    }
    await run(product, impatient)
    expect(await row()).toMatchObject({ [`${product}_state`]: 'failed', [`${product}_error`]: 'timeout' })
    await expectNothingMade()
  })

  it('of a broken file fails immediately', async () => {
    const { run, row } = await create(brokenFiles['the first half'])
    await run(product)
    expect(await row()).toMatchObject({ [`${product}_state`]: 'failed', [`${product}_error`]: 'unreadable' })
    await expectNothingMade()
  })

  it('of a file that took its server along three times fails', async () => {
    const { run, row, documentId } = await create()
    const update = (values: object) => db.updateTable('documents').set(values).where('id', '=', documentId).execute()
    await update({ [`${product}_attempts`]: 3, [`${product}_attempted_at`]: sql`now() - interval '5 minutes'` })
    await run(product)
    // The third attempt may still be in progress.
    expect(await row()).toMatchObject({ [`${product}_state`]: 'pending' })
    await update({ [`${product}_attempted_at`]: sql`now() - interval '7 minutes'` })
    await run(product)
    expect(await row()).toMatchObject({ [`${product}_state`]: 'failed', [`${product}_error`]: 'crash' })
    await expectNothingMade()
  })

  it('is made without a try lost when something else than the file failed', async () => {
    const { run, row } = await create()
    const away = { ...test.deps, db: withoutTransactions() }
    await expect(run(product, away)).rejects.toThrow('away')
    expect(await row()).toMatchObject({ [`${product}_state`]: 'pending', [`${product}_attempts`]: 0 })
    await expectNothingMade()
    await run(product)
    expect(await row()).toMatchObject({ [`${product}_state`]: 'done' })
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('that can never be kept fails in the end', async () => {
    const { run, row } = await create()
    const away = { ...test.deps, db: withoutTransactions() }
    for (let attempt = 1; attempt <= 8; attempt++) await expect(run(product, away, attempt)).rejects.toThrow('away')
    expect(await row()).toMatchObject({ [`${product}_state`]: 'failed', [`${product}_error`]: 'not-kept' })
    await run(product, away, 9)
    await expectNothingMade()
  })

  it('of a file that fails goes behind all others', async () => {
    const { documentId } = await create(makeEndlessFile())
    const name = { text: 'read-text', thumbnail: 'create-thumbnail' }[product]
    const work: JobRegistration<Deps> | undefined = documentJobs.find(({ job }) => job.name === name)
    await work?.run({ ...test.deps, pdf }, { documentId }, { signal, attempt: 1, jobId: '' })
    const { rows } = await sql`
      SELECT singleton_key AS "documentId", priority, start_after > now() AS "isLater" FROM pgboss.job
       WHERE name = ${name}`.execute(db)
    expect(rows).toEqual([{ documentId, priority: -2, isLater: true }])
  })

  it('of a note that is deleted meanwhile is not kept', async () => {
    const { run, noteId } = await create()
    const remove = () => db.deleteFrom('notes').where('id', '=', noteId).execute()
    await run(product, meanwhile(remove))
    await expectNothingMade()
  })

  it('of the file that a note had before it became anonymous is not kept', async () => {
    const { run, noteId, owner, documentId } = await create(buildPdf())
    const edit = () => makeAnonymous(test, owner, noteId)
    await run(product, meanwhile(edit))
    await untilProcessed(test)
    const { id: newDocumentId } = await documentOf(test, noteId)
    expect(newDocumentId).not.toBe(documentId)
    const pages = await db.selectFrom('document_pages').select('document_id').execute()
    const thumbnails = await db.selectFrom('thumbnails').select('document_id').execute()
    expect([pages, thumbnails]).toEqual(Array(2).fill([{ document_id: newDocumentId }]))
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('is not made twice', async () => {
    const { run, row } = await create()
    await Promise.all([run(product), run(product)])
    await run(product)
    expect(await row()).toMatchObject({ [`${product}_state`]: 'done' })
    await expectNoOrphanedFilesAfterSweep(test)
  })
})

/** A database whose transactions fail. */
const withoutTransactions = () =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') throw new Error('The database is away')
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

it('documents that wait are searched for every five minutes', () => {
  expect(documentJobs.find(({ job }) => job.name === 'enqueue-stale-documents')?.cron).toBe('*/5 * * * *')
})

it('documents that wait are taken up when their jobs were lost', async () => {
  const [both, half, recent] = [await create(), await create(), await create()]
  const update = (id: string, values: object) => db.updateTable('documents').set(values).where('id', '=', id).execute()
  await update(both.documentId, { processing_requested_at: sql`now() - interval '16 minutes'` })
  await update(half.documentId, { processing_requested_at: sql`now() - interval '16 minutes'`, text_state: 'done' })
  expect(await enqueueStaleDocuments(db, test.deps.jobs)).toBe(2)
  expect(await enqueueStaleDocuments(db, test.deps.jobs)).toBe(0)
  const made = { text_state: 'done', thumbnail_state: 'done' }
  await drainJobs(test)
  for (const { row } of [both, half]) expect(await row()).toMatchObject(made)
  expect(await recent.row()).toMatchObject({ text_state: 'pending' })
})
