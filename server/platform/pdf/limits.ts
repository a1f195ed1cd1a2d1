import { type AnonymiserLimits, anonymiserLimits } from '../../../packages/pdf-anonymiser/limits.ts'

/** The limits for one PDF. A file beyond any of these counts as unreadable, or as impossible to anonymise. */

export const defaultMaxFileBytes = 25 * 1024 * 1024

/** Each timeout starts when a process takes the file; the process is killed at its end. */
export const defaultTimeoutsMs = {
  inspect: 20_000,
  anonymise: 45_000,
  readText: 60_000,
  renderThumbnail: 60_000,
  ocr: 20 * 60_000,
}
/**
 * How long a file may keep a process from other users' files; it then starts again in a spare process with the timeouts
 * above.
 */
export const defaultFastLaneMs = 5_000
/** OCR runs when no other work needs the processors. A full page takes 5 s of processor time. */
export const ocrLimits = { maxProcesses: 1, niceness: 19, maxCpuMs: 60_000 }
/**
 * Two even on one core, at a low priority: while one hangs on a hostile file, the other reads the files of other users.
 */
export const defaultMaxProcesses = 2
/** Users waiting for a process, each with one file. Together with the timeout this bounds the longest wait. */
export const defaultMaxWaiting = 32
/** Requests have priority over PDF work. */
export const defaultNiceness = 5
/** Files of one user that wait behind the user's current file. */
export const maxWaitingPerAccount = 8
/** Files that a process reads before another process replaces it. */
export const maxFilesOfProcess = 500

/** The memory limit of a process, which holds the file and its copy several times. */
export const maxResidentBytes = (maxFileBytes: number): number =>
  512 * 1024 * 1024 + 6 * Math.max(0, maxFileBytes - defaultMaxFileBytes)

/** The JavaScript heap of a worker thread. Byte arrays do not count, so streams have limits of their own. */
export const threadMaxHeapMb = 128

/** Memory besides PDFium's: the file's bytes, Node, and images with their encoders. */
const besidesPdfiumBytes = 128 * 1024 * 1024

export type PdfLimits = AnonymiserLimits & { maxFileBytes: number; readerMaxHeapBytes: number }

/** All limits that depend on the maximum file size. */
export const pdfLimits = (maxFileBytes: number = defaultMaxFileBytes): PdfLimits => ({
  maxFileBytes,
  ...anonymiserLimits(maxFileBytes),
  // Tasks that only read leave PDFium nearly all memory: images are decoded to be rendered.
  readerMaxHeapBytes: maxResidentBytes(maxFileBytes) - besidesPdfiumBytes,
})
