import type { FilePart } from '../../../platform/api/client.ts'
import {
  chunkBytes,
  loadPdfjs,
  type Pdfjs,
  type PrefetchedRange,
  prefetchRange,
  readFirstPart,
  singleRequestMaxBytes,
  startWorker,
  trailerStart,
} from './note-file.ts'

/** Everything that opening a file waits for, loaded in parallel. */
export type DocumentPreload = {
  modules: Promise<Pdfjs>
  worker: Promise<Worker>
  first: Promise<FilePart>
  /** Ranges requested before pdf.js knows what it needs. */
  ahead: PrefetchedRange[]
  /** Requests the bytes after the first part, which a large file opened at its beginning mostly needs. */
  prefetchNext: () => void
  end: () => void
}

/** Loaded while pdf.js parses the first part and the connection would be idle. */
const readOnBytes = 2 * chunkBytes

/** The notes whose readers are open or about to open. */
const beginnings = new Map<string, DocumentPreload>()

export const isBegun = (noteId: string) => beginnings.has(noteId)

/**
 * Runs once per reader: the loader calls it to load the file in parallel with the note, or else the reader does.
 * @param fileBytes a promise while the size is not known yet.
 */
export function preloadDocument(noteId: string, fileBytes: number | Promise<number>): DocumentPreload {
  const begun = beginnings.get(noteId)
  if (begun) return begun
  const aborter = new AbortController()
  const { signal } = aborter
  const ahead: PrefetchedRange[] = []
  const firstEnd =
    typeof fileBytes === 'number' && fileBytes <= singleRequestMaxBytes ? Math.max(fileBytes, 1) : chunkBytes
  const askForLast = (totalBytes: number) => {
    const start = Math.max(trailerStart(totalBytes), firstEnd)
    if (start < totalBytes) ahead.push(prefetchRange(noteId, { start, end: totalBytes }, signal))
  }
  const beginning: DocumentPreload = {
    modules: loadPdfjs(),
    worker: startWorker(signal),
    first: readFirstPart(noteId, firstEnd, signal),
    ahead,
    prefetchNext() {
      ahead.push(prefetchRange(noteId, { start: firstEnd, end: firstEnd + readOnBytes }, signal))
    },
    end() {
      if (beginnings.get(noteId) === beginning) beginnings.delete(noteId)
      aborter.abort()
    },
  }
  if (typeof fileBytes === 'number') askForLast(fileBytes)
  else fileBytes.then(askForLast, () => {})
  // The code that opens the file handles these failures.
  for (const part of [beginning.modules, beginning.worker, beginning.first]) part.catch(() => {})
  beginnings.set(noteId, beginning)
  return beginning
}
