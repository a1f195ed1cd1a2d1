import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { openPendingFiles } from '../../../platform/storage/file-deletions.ts'
import type { SpooledFile } from '../../../platform/storage/storage.ts'
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
    produce: (turn, path, target) => turn.renderThumbnail(path, target),
    async save(size, target, folder) {
      context.signal.throwIfAborted()
      const { small, large } = await track(encodeThumbnail(target, size, folder.newPath))
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

const running = new Set<Promise<unknown>>()

function track<T>(encoding: Promise<T>): Promise<T> {
  running.add(encoding)
  return encoding.finally(() => running.delete(encoding))
}

/** Waits for the encodings in progress. libvips never returns, and Node never exits, if the process ends during one. */
export const waitForEncodings = (): Promise<unknown> => Promise.allSettled(running)

/** The key alone grants access to the thumbnail, so it has 192 random bits. */
const newKey = () => randomBytes(24).toString('base64url')

/** In pixels. */
const widths = { small: 320, large: 640 }
const quality = 80
/** Effort 2 of 6 needs about two thirds of the processor time of the default 4, and few images grow by over a tenth. */
const effort = 2

/** Sharp encodes one image at a time, on one thread and without a cache, because requests have priority. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/**
 * Writes the two files of a thumbnail. They are made from pixels alone, so they contain no metadata.
 * @param pixels path of the raw image, four bytes per pixel; the last byte is ignored.
 */
async function encodeThumbnail(
  pixels: string,
  { width, height }: { width: number; height: number },
  newPath: () => string,
): Promise<{ small: SpooledFile; large: SpooledFile }> {
  const sharp = await loadSharp()
  const picture = await readFile(pixels)
  async function write(toWidth: number) {
    const path = newPath()
    const raw = sharp(picture, { raw: { width, height, channels: 4 } })
    await raw.removeAlpha().resize({ width: toWidth }).webp({ quality, effort }).toFile(path)
    const content = await readFile(path)
    return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest() }
  }
  const written = { small: await write(widths.small), large: await write(widths.large) }
  // Frees the pixels. Left to V8, megabytes outside of its heap cause a full garbage collection for every other picture.
  picture.buffer.transfer(0)
  return written
}
