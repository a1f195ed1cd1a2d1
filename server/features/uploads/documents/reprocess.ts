import type { Deps } from '../../../dependencies.ts'
import * as queries from './processing.queries.ts'
import type { ProcessingDeps } from './processing.ts'
import { readText } from './text.ts'
import { createThumbnail } from './thumbnail.ts'

export type ReindexOptions = {
  /** Of documents too that have everything; otherwise what is missing and what was given up. */
  all: boolean
  onProgress(done: number, total: number): void
  /** Ends it between two documents. What is left is made by the next one, or by a server. */
  signal: AbortSignal
}

const batchSize = 500
/** Fewer, as all that was recognised of their pages may go with them. */
const askedAtOnce = 50
/** What failed for no fault of the file's is tried again so often. */
const maxPasses = 3

/**
 * Makes text and pictures of documents anew, beside servers that do the same: whoever is first makes it. What a document
 * has stays until then, but for words that were recognised: those are left to the servers, which have the time.
 */
export async function reprocessDocuments(
  deps: ProcessingDeps & Pick<Deps, 'config'>,
  { all, onProgress, signal }: ReindexOptions,
): Promise<void> {
  const { db, config } = deps
  const forgetsRecognised = all && config.recognitionLanguages.length > 0
  for (let after: string | null = null; !signal.aborted; ) {
    after = await queries.resetProcessing(db, { all, forgetsRecognised }, after, askedAtOnce)
    if (after === null) break
  }
  for (let pass = 0; pass < maxPasses && !signal.aborted; pass++) {
    const total = await queries.countWaiting(db)
    if (total === 0) return
    let done = 0
    for (let after: string | null = null; !signal.aborted; ) {
      const ids = await queries.listWaiting(db, after, batchSize)
      for (const documentId of ids) {
        if (signal.aborted) return
        await makeBoth(deps, documentId, signal)
        onProgress(Math.min(++done, total), total)
      }
      after = ids.at(-1) ?? null
      if (after === null) break
    }
  }
}

/** What fails has been logged, and is waited for still. */
async function makeBoth(deps: ProcessingDeps, documentId: string, signal: AbortSignal): Promise<void> {
  for (const make of [readText, createThumbnail]) {
    await make(deps, { documentId }, { signal, attempt: 1 }).catch((error) => {
      if (!signal.aborted) deps.log.warn({ err: error }, 'A document is tried again later')
    })
  }
}
