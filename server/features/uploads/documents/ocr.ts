import { sql } from 'kysely'
import { z } from 'zod'
import type { ProblemReason } from '../../../../packages/contract/notes.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { defineJob, type JobContext } from '../../../platform/jobs/job.ts'
import type { OcrPage, RecognisedWord } from '../../../platform/pdf/ocr/recognise-page.ts'
import { accessibleNotes } from '../../notes/visible-notes.ts'
import { indexSoon, queueIndexing } from '../../search/index-notes.ts'
import { foldVersion, pageWords } from '../../search/text-analysis/fold.ts'
import { lockPending, markFailed } from './processing.queries.ts'
import { type ProcessingDeps, processDocument } from './processing.ts'

/** Each server recognises one document at a time. A page may wait long, because OCR only uses a spare processor. */
export const ocrJob = defineJob('ocr-document', z.strictObject({ documentId: z.uuid() }), {
  concurrency: 1,
  timeoutSeconds: 30 * 60,
})

type RecognitionDeps = Omit<ProcessingDeps, 'pdf'> & Pick<Deps, 'ocr' | 'config'>

/** `isWhole`: no page remains. */
type Run = { kind: 'ok'; isWhole: boolean }

const maxPages = 500
/** After this time another document is processed; the remaining pages are enqueued again. */
const shareMs = 5 * 60_000
const documentsAtOnce = 100
/** Jobs of this age are regarded as lost. */
const staleAfter = sql`interval '45 minutes'`
/** After this many failed pages of a file, the remaining pages are expected to fail as well. */
const maxFailedPages = 20
/** Problems that affect the whole file instead of one page. */
const problemsOfFile: ProblemReason[] = ['locked', 'missing']

/** Enqueues one batch of documents that have pages without text. */
export async function enqueueOcr({ db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>): Promise<void> {
  if (config.recognitionLanguages.length === 0) return forgetAsked(db)
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ documentId: string }>`
      UPDATE documents SET ocr_requested_at = now()
       WHERE id IN (SELECT id FROM documents
                     WHERE ocr_state = 'pending'
                       AND (ocr_requested_at IS NULL OR ocr_requested_at < now() - ${staleAfter})
                     ORDER BY ocr_requested_at NULLS FIRST LIMIT ${sql.lit(documentsAtOnce)} FOR UPDATE SKIP LOCKED)
      RETURNING id AS "documentId"`.execute(tx)
    for (const { documentId } of rows) {
      await jobs.enqueue(tx, ocrJob, { documentId }, { singletonKey: documentId })
    }
  })
}

/**
 * Recognises the words on the pages of a document that have no text. Each page is saved when it is done, so an
 * interruption loses one page at most. A page is skipped after three attempts.
 */
export async function runOcr(
  deps: RecognitionDeps,
  { documentId }: { documentId: string },
  context: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  const { db, ocr, config } = deps
  if (config.recognitionLanguages.length === 0) return
  const shareEndsAt = performance.now() + shareMs
  const whileWaiting = (work: (tx: Tx) => Promise<void>) =>
    inTransaction(db, async (tx) => {
      const isWaiting = await lockPending(tx, 'ocr', documentId)
      if (isWaiting) await work(tx)
      return isWaiting
    })

  await processDocument<Run>(
    { ...deps, pdf: ocr },
    {
      product: 'ocr',
      documentId,
      context,
      async produce(turn, path) {
        const pages = await findPagesWithoutText(db, documentId, maxPages)
        for (const [index, page] of pages.entries()) {
          if (performance.now() > shareEndsAt) return { kind: 'ok', isWhole: false }
          const outcome = await turn.recognise(path, page - 1, config.recognitionLanguages)
          // The failed page is retried as the first page of another run, where no other page has used its attempts.
          if (outcome.kind !== 'ok') return index > 0 ? { kind: 'ok', isWhole: false } : outcome
          const isWanted = await whileWaiting((tx) => saveOcrPage(tx, documentId, page, outcome))
          if (!isWanted) break
        }
        return { kind: 'ok', isWhole: true }
      },
      async save({ isWhole }) {
        const finish = isWhole ? finishOcr : requeueOcr
        await whileWaiting((tx) => finish(tx, documentId))
        await indexSoon(deps, context.signal)
      },
      async failOrRetry(reason) {
        await whileWaiting(async (tx) => {
          const [page] = await findPagesWithoutText(tx, documentId, maxPages)
          if (page === undefined || problemsOfFile.includes(reason)) await markFailed(tx, 'ocr', documentId, reason)
          else if ((await skipPage(tx, documentId, page)) >= maxFailedPages) await finishOcr(tx, documentId)
        })
      },
    },
  )
}

/** Returns those of the first `maxPages` pages that have no text and were not skipped, counted from 1. */
async function findPagesWithoutText(db: Db, documentId: string, maxPages: number): Promise<number[]> {
  const { rows } = await sql<{ page: number }>`
    SELECT page FROM documents d, generate_series(1, least(d.page_count, ${maxPages}::integer)) AS page
     WHERE d.id = ${documentId} AND page <> ALL(coalesce(d.ocr_failed_pages, '{}'))
       AND NOT EXISTS (SELECT FROM document_pages p WHERE p.document_id = d.id AND p.page = page.page)
     ORDER BY page`.execute(db)
  return rows.map(({ page }) => page)
}

/** Recognised text is searched like any other text. Attempts are counted per page, so a saved page resets them. */
async function saveOcrPage(tx: Tx, documentId: string, page: number, { text, words }: OcrPage) {
  await tx
    .insertInto('document_pages')
    .values({
      document_id: documentId,
      page,
      text,
      words: await pageWords(text),
      fold_version: foldVersion,
      ocr_words: JSON.stringify(words),
    })
    .onConflict((conflict) => conflict.columns(['document_id', 'page']).doNothing())
    .execute()
  await queueIndexing(tx, documentId)
  await sql`
    UPDATE documents SET ocr_attempts = 1,
           text_state = CASE WHEN text_state = 'empty' AND ${text} <> '' THEN 'done' ELSE text_state END
     WHERE id = ${documentId}`.execute(tx)
}

/** Skips a page and enqueues the document again for its other pages. @returns the number of skipped pages. */
async function skipPage(tx: Tx, documentId: string, page: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    UPDATE documents SET ocr_failed_pages = array_append(ocr_failed_pages, ${page}::integer)
     WHERE id = ${documentId} RETURNING cardinality(ocr_failed_pages) AS count`.execute(tx)
  await requeueOcr(tx, documentId)
  return rows[0]?.count ?? 0
}

/** Skipped pages and pages that were never read are stored, so that the owner can be informed. */
async function finishOcr(tx: Tx, documentId: string): Promise<void> {
  await sql`
    UPDATE documents SET ocr_error = NULL,
           ocr_failed_pages = (
             SELECT array_agg(page ORDER BY page) FROM generate_series(1, page_count) AS page
              WHERE NOT EXISTS (SELECT FROM document_pages p WHERE p.document_id = documents.id AND p.page = page.page)),
           ocr_state =
           CASE WHEN EXISTS (SELECT FROM document_pages WHERE document_id = ${documentId} AND ocr_words <> '[]')
                THEN 'done' ELSE 'empty' END
     WHERE id = ${documentId}`.execute(tx)
}

/** Makes the document due again immediately, with no attempts counted. */
async function requeueOcr(tx: Tx, documentId: string): Promise<void> {
  const unasked = { ocr_attempts: 0, ocr_requested_at: null }
  await tx.updateTable('documents').set(unasked).where('id', '=', documentId).execute()
}

/** Without text recognition on this instance, no note may show that recognition is in progress. */
async function forgetAsked(db: Db): Promise<void> {
  await sql`UPDATE documents SET ocr_requested_at = NULL
             WHERE ocr_state = 'pending' AND ocr_requested_at IS NOT NULL`.execute(db)
}

/** Returns null if the viewer may not see the note. */
export async function findOcrWords(
  db: Db,
  viewer: Viewer,
  noteId: string,
  page: number,
): Promise<RecognisedWord[] | null> {
  const { rows } = await sql<{ words: RecognisedWord[] | null }>`
    SELECT p.ocr_words AS words
      FROM ${accessibleNotes(viewer)} n
      LEFT JOIN document_pages p ON p.document_id = n.document_id AND p.page = ${page}
     WHERE n.id = ${noteId}`.execute(db)
  return rows[0] ? (rows[0].words ?? []) : null
}
