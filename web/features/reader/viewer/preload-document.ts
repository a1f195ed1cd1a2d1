import { ApiError, type FilePart } from '../../../platform/api/client.ts'
import { workerUrl } from '../../../platform/pdf/worker-url.ts'
import { type Pdfjs, readFirstPart } from './note-file.ts'

let loading: Promise<Pdfjs> | undefined

/** Loads pdf.js once. A call after a failure tries again. */
export function loadPdfjs(): Promise<Pdfjs> {
  loading ??= import('./pdfjs.ts').catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

/** Starts the pdf.js worker until `signal` aborts. Its first message signals that it is ready. */
export function startWorker(signal: AbortSignal): Promise<Worker> {
  const worker = new Worker(workerUrl, { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true })
    worker.addEventListener('error', () => reject(new ApiError({ status: 0, body: null })), { once: true })
  })
}

/** Everything that opening a file waits for, loaded in parallel. */
type DocumentPreload = {
  modules: Promise<Pdfjs>
  worker: Promise<Worker>
  first: Promise<FilePart>
  /** Aborts the requests and ends the worker. */
  end: () => void
}

/** The notes whose readers are open or about to open. */
const beginnings = new Map<string, DocumentPreload>()

export const isBegun = (noteId: string) => beginnings.has(noteId)

/**
 * Runs once per reader: the loader calls it to load the file in parallel with the note, or else the reader does.
 * @param fileBytes undefined while the size is not known yet.
 */
export function preloadDocument(noteId: string, fileBytes: number | undefined): DocumentPreload {
  const begun = beginnings.get(noteId)
  if (begun) return begun
  const aborter = new AbortController()
  const { signal } = aborter
  const beginning: DocumentPreload = {
    modules: loadPdfjs(),
    worker: startWorker(signal),
    first: readFirstPart(noteId, fileBytes, signal),
    end() {
      if (beginnings.get(noteId) === beginning) beginnings.delete(noteId)
      aborter.abort()
    },
  }
  // The code that opens the file handles these failures.
  for (const part of [beginning.modules, beginning.worker, beginning.first]) part.catch(() => {})
  beginnings.set(noteId, beginning)
  return beginning
}
