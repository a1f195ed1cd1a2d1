import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import type { OcrPage, RecognisedWord } from '../../../platform/pdf/ocr/recognise-page.ts'
import { accessibleNotes } from '../../notes/visible-notes.ts'
import { queueIndexing } from '../../search/index-notes.ts'
import { foldVersion, pageWords } from '../../search/text-analysis/fold.ts'

/** Jobs of this age are regarded as lost. */
const staleAfter = sql`interval '45 minutes'`

export async function takeUnrecognised(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE documents SET ocr_requested_at = now()
     WHERE id IN (SELECT id FROM documents
                   WHERE ocr_state = 'pending'
                     AND (ocr_requested_at IS NULL OR ocr_requested_at < now() - ${staleAfter})
                   ORDER BY ocr_requested_at NULLS FIRST LIMIT ${sql.lit(limit)} FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns those of the first `maxPages` pages that have no text and were not skipped, counted from 1. */
export async function findPagesWithoutText(db: Db, documentId: string, maxPages: number): Promise<number[]> {
  const { rows } = await sql<{ page: number }>`
    SELECT page FROM documents d, generate_series(1, least(d.page_count, ${maxPages}::integer)) AS page
     WHERE d.id = ${documentId} AND page <> ALL(coalesce(d.ocr_failed_pages, '{}'))
       AND NOT EXISTS (SELECT FROM document_pages p WHERE p.document_id = d.id AND p.page = page.page)
     ORDER BY page`.execute(db)
  return rows.map(({ page }) => page)
}

/** Recognised text is searched like any other text. Attempts are counted per page, so a saved page resets them. */
export async function saveOcrPage(tx: Tx, documentId: string, page: number, { text, words }: OcrPage) {
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
export async function skipPage(tx: Tx, documentId: string, page: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    UPDATE documents SET ocr_failed_pages = array_append(ocr_failed_pages, ${page}::integer)
     WHERE id = ${documentId} RETURNING cardinality(ocr_failed_pages) AS count`.execute(tx)
  await requeueOcr(tx, documentId)
  return rows[0]?.count ?? 0
}

/** Skipped pages and pages that were never read are stored, so that the owner can be informed. */
export async function finishOcr(tx: Tx, documentId: string): Promise<void> {
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
export async function requeueOcr(tx: Tx, documentId: string): Promise<void> {
  const unasked = { ocr_attempts: 0, ocr_requested_at: null }
  await tx.updateTable('documents').set(unasked).where('id', '=', documentId).execute()
}

/** Without text recognition on this instance, no note may show that recognition is in progress. */
export async function forgetAsked(db: Db): Promise<void> {
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
