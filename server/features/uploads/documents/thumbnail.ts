import { randomBytes } from 'node:crypto'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { toSpooledFile } from '../../../platform/pdf/messages.ts'
import { openPendingFiles } from '../../../platform/storage/file-deletions.ts'
import { lockPending } from './processing.queries.ts'
import { type ProcessingDeps, processDocument } from './processing.ts'

/** Draws the first page of a document that is not blank, for note cards. */
export function createThumbnail(
  deps: ProcessingDeps,
  { documentId }: { documentId: string },
  context: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  const { db, files, log } = deps
  return processDocument(deps, {
    product: 'thumbnail',
    documentId,
    context,
    produce: (turn, path, target) => turn.renderThumbnail(path, pathsOf(target)),
    async save(drawn, target) {
      const paths = pathsOf(target)
      const small = toSpooledFile(paths.small, drawn.small)
      const large = toSpooledFile(paths.large, drawn.large)
      const pending = openPendingFiles(db, files, log)
      try {
        const [smallKey, largeKey] = [await pending.store(small), await pending.store(large)]
        await inTransaction(db, async (tx) => {
          if (!(await lockPending(tx, 'thumbnail', documentId))) return
          await tx.deleteFrom('thumbnails').where('document_id', '=', documentId).execute()
          const files = {
            small_file_key: smallKey,
            small_sha256: small.sha256,
            large_file_key: largeKey,
            large_sha256: large.sha256,
          }
          await tx
            .insertInto('thumbnails')
            .values({ document_id: documentId, key: newKey(), ...files })
            .execute()
          const done = { thumbnail_state: 'done', thumbnail_error: null }
          await tx.updateTable('documents').set(done).where('id', '=', documentId).execute()
          await pending.claim(tx, [smallKey, largeKey])
        })
      } finally {
        await pending.discard()
      }
    },
  })
}

const pathsOf = (target: string) => ({ small: `${target}-small`, large: `${target}-large` })

/** The key alone grants access to the thumbnail, so it has 192 random bits. */
const newKey = () => randomBytes(24).toString('base64url')
