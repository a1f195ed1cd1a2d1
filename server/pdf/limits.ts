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

/** What PDFium's own memory may grow to. A file's bytes lie in it once, twice while a copy is written. */
export const pdfiumMaxHeapBytes = 160 * 1024 * 1024
/** JavaScript heap of a worker thread. Byte arrays do not count, which is why streams have limits of their own. */
export const threadMaxHeapMb = 128

/** Of a file to anonymise. */
export const maxPages = 5_000
/** Pages of an anonymised file whose drawing is compared with the original's; of all others the size is. */
export const maxComparedPages = 200
/** Objects in an anonymised file; a 1,000-page book has some 20,000. */
export const maxObjects = 500_000
/** One page description, font map or the like, decoded. */
export const maxTextStreamBytes = 48 * 1024 * 1024
/** An anonymised file. Pages that share a description get one each, so it can be larger than the original. */
export const maxRewrittenBytes = 64 * 1024 * 1024
/** All streams of a file together, decoded. */
export const maxDecodedBytes = 1024 * 1024 * 1024
