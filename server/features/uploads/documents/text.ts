import { sql } from 'kysely'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { readTextFile } from '../../../platform/pdf/messages.ts'
import { indexSoon } from '../../search/index-notes.ts'
import { savePages } from './pages.ts'
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
