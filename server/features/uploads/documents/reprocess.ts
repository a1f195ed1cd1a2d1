import type { Deps } from '../../../dependencies.ts'
import * as queries from './processing.queries.ts'
import type { ProcessingDeps } from './processing.ts'
import { readText } from './text.ts'
import { createThumbnail } from './thumbnail.ts'

export type ReindexOptions = {
  /** Includes documents that are complete; otherwise only missing and failed artifacts are made. */
  all: boolean
  onProgress(done: number, total: number): void
  /** Stops between two documents. The next run or a server processes the remaining ones. */
  signal: AbortSignal
}

const batchSize = 500
/** Smaller than `batchSize`, because the same statement may delete all recognised text. */
const askedAtOnce = 50
/** Documents that failed for reasons outside the file are processed in up to this many passes. */
const maxPasses = 3

/**
 * Makes texts and thumbnails again, in parallel with running servers; each is made by the process that is first. Old
 * results stay until then, except recognised words: these are deleted, and the servers recognise them later.
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
    const total = await queries.countPending(db)
    if (total === 0) return
    let done = 0
    for (let after: string | null = null; !signal.aborted; ) {
      const ids = await queries.listPending(db, after, batchSize)
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

/** Failures are already logged, and the document stays in the waiting state. */
async function makeBoth(deps: ProcessingDeps, documentId: string, signal: AbortSignal): Promise<void> {
  for (const make of [readText, createThumbnail]) {
    await make(deps, { documentId }, { signal, attempt: 1 }).catch((error) => {
      if (!signal.aborted) deps.log.warn({ err: error }, 'Couldn’t process a document; it will be retried')
    })
  }
}
