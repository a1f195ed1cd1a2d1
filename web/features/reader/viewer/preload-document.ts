import type { FilePart } from '../../../platform/api/client.ts'
import { loadPdfjs, type Pdfjs, startWorker } from './load-pdfjs.ts'
import {
  chunkBytes,
  type PrefetchedRange,
  prefetchRange,
  readFirstPart,
  singleRequestMaxBytes,
  trailerStart,
} from './note-file.ts'

/** What opening a file waits for, all of it on its way at once. */
export type DocumentPreload = {
  modules: Promise<Pdfjs>
  worker: Promise<Worker>
  first: Promise<FilePart>
  /** What else of the file is asked for before pdf.js can say what it needs. */
  ahead: PrefetchedRange[]
  /** Asks for what follows the first part, where a large file is opened at its beginning: most of it will be needed there. */
  readOn: () => void
  /** Gives up what is still on its way, and ends the worker. */
  end: () => void
}

/** What follows the first part while that is looked at, and the connection would have nothing to do. */
const readOnBytes = 2 * chunkBytes

/** The notes whose readers are on display, or will be in a moment. */
const beginnings = new Map<string, DocumentPreload>()

export const isBegun = (noteId: string) => beginnings.has(noteId)

/**
 * Begins once for each reader: its loader does, so that the file is on its way with the note, or it does itself.
 * @param fileBytes is waited for where it is not known yet.
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
    readOn() {
      ahead.push(prefetchRange(noteId, { start: firstEnd, end: firstEnd + readOnBytes }, signal))
    },
    end() {
      if (beginnings.get(noteId) === beginning) beginnings.delete(noteId)
      aborter.abort()
    },
  }
  if (typeof fileBytes === 'number') askForLast(fileBytes)
  else fileBytes.then(askForLast, () => {})
  // Whoever opens the file is told.
  for (const part of [beginning.modules, beginning.worker, beginning.first]) part.catch(() => {})
  beginnings.set(noteId, beginning)
  return beginning
}
