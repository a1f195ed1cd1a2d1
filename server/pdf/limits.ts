import { availableParallelism } from 'node:os'
import { type AnonymiserLimits, anonymiserLimits } from './anonymiser/limits.ts'

/** What one PDF may cost. Past any of these it counts as unreadable, or as impossible to anonymise. */

export const defaultMaxFileBytes = 25 * 1024 * 1024

/** From the moment a thread takes the file; the thread is ended then, whatever it is doing. */
export const defaultTimeoutsMs = { inspect: 20_000, anonymise: 45_000 }
/** A core is left for everything else. With the limits below a thread stays under 400 MB at its worst. */
export const defaultMaxThreads = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Files waiting for a thread. With the timeout this bounds the longest wait. */
export const defaultMaxWaiting = 32

/** JavaScript heap of a worker thread. Byte arrays do not count, which is why streams have limits of their own. */
export const threadMaxHeapMb = 128

export type PdfLimits = AnonymiserLimits & { maxFileBytes: number }

/** All that depends on how large a file may be. */
export const pdfLimits = (maxFileBytes: number = defaultMaxFileBytes): PdfLimits => ({
  maxFileBytes,
  ...anonymiserLimits(maxFileBytes),
})
