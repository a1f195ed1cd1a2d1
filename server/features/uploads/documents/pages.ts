import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { queueIndexing } from '../../search/index-notes.ts'
import { foldVersion, pageWords } from '../../search/text-analysis/fold.ts'

/** Counted from 1. */
export type Page = { page: number; text: string }

/** The approximate number of characters per statement; it keeps each statement far below the statement timeout. */
const batchLength = 500_000
type FoldedPage = Page & { words: string }

/**
 * Replaces the text of a document and its search words. Pages without text have no row, except pages with recognised
 * words: these stay, because a document's file never changes.
 */
export async function savePages(tx: Tx, documentId: string, pages: Page[]): Promise<void> {
  const numbers = pages.map(({ page }) => page)
  await sql`
    DELETE FROM document_pages
     WHERE document_id = ${documentId} AND (ocr_words IS NULL OR page = ANY(${numbers}::integer[]))`.execute(tx)
  // PostgreSQL's text type cannot store NUL.
  const storable = pages.map(({ page, text }) => ({ page, text: text.replaceAll('\0', '') }))
  for await (const batch of foldInBatches(storable)) {
    await sql`
      INSERT INTO document_pages (document_id, page, text, words, fold_version)
      SELECT ${documentId}, *, ${foldVersion} FROM ${asRows(batch)}`.execute(tx)
  }
  await queueIndexing(tx, documentId)
}

/** Folds the pages of a document that were not folded by the current rules. Each batch is committed separately. */
export async function reindexPages(db: Db, documentId: string, signal: AbortSignal): Promise<void> {
  const pages = await db
    .selectFrom('document_pages')
    .select(['page', 'text'])
    .where('document_id', '=', documentId)
    .where('fold_version', '<', foldVersion)
    .orderBy('page')
    .execute()
  for await (const batch of foldInBatches(pages)) {
    if (signal.aborted) return
    await sql`
      UPDATE document_pages p SET words = given.words, fold_version = ${foldVersion}
        FROM ${asRows(batch)} AS given (page, text, words)
       WHERE p.document_id = ${documentId} AND p.page = given.page AND p.text = given.text`.execute(db)
  }
  if (pages.length > 0) await queueIndexing(db, documentId)
}

const asRows = (batch: FoldedPage[]) => sql`
  unnest(${batch.map(({ page }) => page)}::integer[], ${batch.map(({ text }) => text)}::text[],
         ${batch.map(({ words }) => words)}::text[])`

async function* foldInBatches(pages: Page[]): AsyncGenerator<FoldedPage[]> {
  let batch: FoldedPage[] = []
  let length = 0
  for (const { page, text } of pages) {
    batch.push({ page, text, words: await pageWords(text) })
    length += text.length
    if (length < batchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}
