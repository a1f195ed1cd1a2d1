import { ApiError } from '../../../platform/api/client.ts'
import { workerUrl } from '../../../platform/pdf/worker-url.ts'

export type Pdfjs = typeof import('./pdfjs.ts')

let loading: Promise<Pdfjs> | undefined

/** Loads pdf.js once. */
export function loadPdfjs(): Promise<Pdfjs> {
  loading ??= import('./pdfjs.ts').catch((failure: unknown) => {
    loading = undefined
    throw failure
  })
  return loading
}

/** Starts the half of pdf.js that reads a file, until `signal` aborts. It says itself when it is there. */
export function startWorker(signal: AbortSignal): Promise<Worker> {
  const worker = new Worker(workerUrl, { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true })
    worker.addEventListener('error', () => reject(new ApiError({ status: 0, body: null })), { once: true })
  })
}
