import { type AnonymiserLimits, anonymiserLimits } from '../../../packages/pdf-anonymiser/limits.ts'

/** What one PDF may cost. Past any of these it counts as unreadable, or as impossible to anonymise. */

export const defaultMaxFileBytes = 25 * 1024 * 1024

/** From the moment a process takes the file; it is ended then, whatever it is doing. */
export const defaultTimeoutsMs = {
  inspect: 20_000,
  anonymise: 45_000,
  readText: 60_000,
  drawPicture: 60_000,
  recognise: 20 * 60_000,
}
/** How long a file may keep a process from other users' files; it starts again with the timeouts above when one is spare. */
export const defaultFastLaneMs = 5_000
/** Recognising words runs when nobody else wants the processors. A full page takes 5 s of them. */
export const recognitionLimits = { maxProcesses: 1, niceness: 19, maxCpuMs: 60_000 }
/** Two even on one core, at a low priority: while one hangs on a hostile file, the others' files go through. */
export const defaultMaxProcesses = 2
/** Owners waiting for a process; each waits with one file. With the timeout this bounds the longest wait. */
export const defaultMaxWaiting = 32
/** Answering people goes first. */
export const defaultNiceness = 5
/** Files of one owner that wait for the owner's own turn. */
export const maxWaitingPerAccount = 8
/** What a process reads before another takes its place. */
export const maxFilesOfProcess = 200

/** What a process may hold in memory: the file and its copy lie in it several times. */
export const maxResidentBytes = (maxFileBytes: number): number =>
  512 * 1024 * 1024 + 6 * Math.max(0, maxFileBytes - defaultMaxFileBytes)

/** JavaScript heap of a worker thread. Byte arrays do not count, which is why streams have limits of their own. */
export const threadMaxHeapMb = 128

/** Beside PDFium's memory there are the file's bytes, Node, and a picture's pixels. */
const besidesPdfiumBytes = 128 * 1024 * 1024

export type PdfLimits = AnonymiserLimits & { maxFileBytes: number; readerMaxHeapBytes: number }

/** All that depends on how large a file may be. */
export const pdfLimits = (maxFileBytes: number = defaultMaxFileBytes): PdfLimits => ({
  maxFileBytes,
  ...anonymiserLimits(maxFileBytes),
  // Whoever only reads can leave PDFium nearly all there is: pictures are unpacked to be drawn.
  readerMaxHeapBytes: maxResidentBytes(maxFileBytes) - besidesPdfiumBytes,
})
