import { ApiError } from '../../../platform/api/client.ts'
import { workerUrl } from '../../../platform/pdf/worker-url.ts'

export type Pdfjs = typeof import('./pdfjs.ts')

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
