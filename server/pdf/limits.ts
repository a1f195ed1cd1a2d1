import { type AnonymiserLimits, anonymiserLimits } from './anonymiser/limits.ts'

/** What one PDF may cost. Past any of these it counts as unreadable, or as impossible to anonymise. */

export const defaultMaxFileBytes = 25 * 1024 * 1024

/** From the moment a process takes the file; it is ended then, whatever it is doing. */
export const defaultTimeoutsMs = { inspect: 20_000, anonymise: 45_000 }
/** Two even on one core, at a low priority: while one hangs on a hostile file, the others' files go through. */
export const defaultMaxProcesses = 2
/** Owners waiting for a process; each waits with one file. With the timeout this bounds the longest wait. */
export const defaultMaxWaiting = 32
/** Files of one owner that wait for the owner's own turn. */
export const maxWaitingOfOwner = 8
/** What a process reads before another takes its place. */
export const maxFilesOfProcess = 50

/** What a process may hold in memory: the file and its copy lie in it several times. */
export const maxResidentBytes = (maxFileBytes: number): number =>
  512 * 1024 * 1024 + 6 * Math.max(0, maxFileBytes - defaultMaxFileBytes)

/** JavaScript heap of a worker thread. Byte arrays do not count, which is why streams have limits of their own. */
export const threadMaxHeapMb = 128

export type PdfLimits = AnonymiserLimits & { maxFileBytes: number }

/** All that depends on how large a file may be. */
export const pdfLimits = (maxFileBytes: number = defaultMaxFileBytes): PdfLimits => ({
  maxFileBytes,
  ...anonymiserLimits(maxFileBytes),
})
