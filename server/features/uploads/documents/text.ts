import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { readTextFile } from '../../../platform/pdf/messages.ts'
import { indexSoon, queueIndexing } from '../../search/index-notes.ts'
import { foldVersion, pageWords } from '../../search/text-analysis/fold.ts'
import { lockPending } from './processing.queries.ts'
import { type ProcessingDeps, processDocument } from './processing.ts'
import { countText } from './upload-quota.ts'

/** Extracts the text of a document page by page, and its outline. */
export function readText(
  deps: ProcessingDeps,
  { documentId }: { documentId: string },
  context: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  return processDocument(deps, {
    product: 'text',
    documentId,
    context,
    produce: (turn, path, target) => turn.readText(path, target),
    async save(_made, target) {
      const { pageCount, pages, outline, isCut } = await readTextFile(target)
      const bytes = pages.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      const written = pages.map((text, index) => ({ page: index + 1, text })).filter(({ text }) => text !== '')
      await inTransaction(deps.db, async (tx) => {
        // The quota locks the user, and users are locked before documents.
        await countText(tx, documentId, bytes)
        if (!(await lockPending(tx, 'text', documentId))) return
        await savePages(tx, documentId, written)
        await tx
          .updateTable('documents')
          .set({
            text_state: hasText(documentId),
            text_error: isCut ? 'too-large' : null,
            // Pages without text may be images of words.
            ocr_state: !isCut && written.length < pages.length ? 'pending' : 'none',
            ocr_error: null,
            ocr_attempts: 0,
            ocr_requested_at: null,
            ocr_failed_pages: null,
            outline: JSON.stringify(outline),
            page_count: sql<number>`coalesce(page_count, ${pageCount})`,
          })
          .where('id', '=', documentId)
          .execute()
      })
      await indexSoon(deps, context.signal)
    },
  })
}

/** Includes recognised text of the same file. */
const hasText = (documentId: string) => sql<string>`
  CASE WHEN EXISTS (SELECT FROM document_pages WHERE document_id = ${documentId} AND text <> '')
       THEN 'done' ELSE 'empty' END`

/** Counted from 1. */
type Page = { page: number; text: string }

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
