import type { PDFDataRangeTransport } from 'pdfjs-dist'
import { viewNote } from '../../../../packages/contract/notes.endpoints.ts'
import { ApiError, api, type FilePart } from '../../../platform/api/client.ts'
import { assets } from '../../../platform/pdf/assets.ts'
import { pickBuild } from '../../../platform/pdf/build.ts'
import { workerUrl } from '../../../platform/pdf/worker-url.ts'

export type Pdfjs = typeof import('./pdfjs.ts')

export const loadPdfjs: () => Promise<Pdfjs> = pickBuild({
  recent: () => import('./pdfjs.ts'),
  legacy: () => import('./pdfjs-legacy.ts'),
})

/** Starts the pdf.js worker until `signal` aborts. Its first message signals that it is ready. */
export function startWorker(signal: AbortSignal): Promise<Worker> {
  const worker = new Worker(workerUrl, { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true })
    worker.addEventListener('error', () => reject(new ApiError({ status: 0, body: null })), { once: true })
  })
}

/** The unit of requests. pdf.js combines neighbouring chunks. */
export const chunkBytes = 32 * 2 ** 10
/** Files up to this size are loaded in one request, because separate requests for parts would take longer. */
export const singleRequestMaxBytes = 256 * 2 ** 10
/** pdf.js requests a large image in one range. */
const maxRangeBytes = 256 * 2 ** 10
/** The minimum to load from the end: the cross-reference table takes 20 bytes per object. */
const tableBytes = 16 * 2 ** 10

/** Loads the beginning of a note's file up to `end`. Throws `ApiError`. */
export async function readFirstPart(noteId: string, end: number, signal: AbortSignal): Promise<FilePart> {
  const part = await api.callRange(viewNote, { params: { id: noteId }, range: { start: 0, end }, signal })
  // A range without an ETag never gives null.
  return part ?? Promise.reject(new ApiError({ status: 0, body: null }))
}

/** A range that is being loaded; null on failure, which a new request will report. */
export type PrefetchedRange = { start: number; end: number; part: Promise<FilePart | null> }

export function prefetchRange(
  noteId: string,
  range: { start: number; end: number },
  signal: AbortSignal,
): PrefetchedRange {
  return { ...range, part: api.callRange(viewNote, { params: { id: noteId }, range, signal }).catch(() => null) }
}

/**
 * Where the prefetched end of a file begins: pdf.js reads nearly every file from the table there. It is 0 for a small
 * file.
 */
export const trailerStart = (totalBytes: number) =>
  totalBytes <= singleRequestMaxBytes ? 0 : Math.floor((totalBytes - tableBytes) / chunkBytes) * chunkBytes

type Events = {
  /** The reason why a range is being retried; null when it has loaded. */
  onStalled: (reason: string | null) => void
  /** The file has been replaced by another version. */
  onChanged: () => void
  /** The file cannot be loaded any more: the note is gone, or the session has ended. */
  onLost: (failure: unknown) => void
}

export function loadFile(
  modules: Pdfjs,
  port: Worker,
  noteId: string,
  first: FilePart,
  ahead: PrefetchedRange[],
  events: Events,
) {
  const { pdfjs } = modules
  const transport = createTransport(modules, noteId, first, ahead, events)
  const isWhole = first.bytes.length === first.totalBytes
  // The types of pdf.js do not allow a Worker as port.
  const worker = new pdfjs.PDFWorker({ port: port as never, verbosity: pdfjs.VerbosityLevel.ERRORS })
  const loading = pdfjs.getDocument({
    worker,
    ...(isWhole ? { data: first.bytes } : { range: transport }),
    ...assets,
    rangeChunkSize: chunkBytes,
    disableStream: true,
    disableAutoFetch: true,
    enableXfa: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  return {
    loading,
    close() {
      transport.abort()
      void loading.destroy()
      worker.destroy()
    },
  }
}

/** Loads the rest of a file for pdf.js, with token refresh and retries. */
export function createTransport(
  { pdfjs }: Pdfjs,
  noteId: string,
  first: FilePart,
  ahead: PrefetchedRange[],
  { onStalled, onChanged, onLost }: Events,
): PDFDataRangeTransport {
  const aborter = new AbortController()
  const { signal } = aborter

  /** Loads in parts, so that a lost connection costs only the last one. */
  async function read(start: number, end: number): Promise<FilePart | null> {
    let all: FilePart | null = null
    for (let from = start; from < end; from += maxRangeBytes) {
      const part = await readRange(from, Math.min(from + maxRangeBytes, end))
      if (part === null) return null
      all = all === null ? part : { ...part, bytes: joined(all.bytes, part.bytes) }
    }
    return all
  }

  async function readRange(start: number, end: number): Promise<FilePart | null> {
    const range = { start, end, etag: first.etag }
    for (let attempt = 0; ; attempt++) {
      try {
        const part = await api.callRange(viewNote, { params: { id: noteId }, range, signal })
        onStalled(null)
        return part
      } catch (failure) {
        if (signal.aborted || !(failure instanceof ApiError) || !passing.includes(failure.status)) throw failure
        onStalled(failure.status === 429 ? failure.message : connectionLost)
        await waitBefore(failure.retryAfterSeconds ?? 2 ** attempt, signal)
      }
    }
  }

  /** Uses a prefetched range if its ETag matches, and loads the missing rest. */
  async function take({ start, end, part }: PrefetchedRange, from: number, to: number): Promise<FilePart | null> {
    const [here, rest] = await Promise.all([part, to > end ? read(end, to) : undefined])
    if (here?.etag !== first.etag || here.bytes.length < end - start) return read(from, to)
    const bytes = here.bytes.slice(from - start, Math.min(to, end) - start)
    if (rest === undefined) return { ...here, bytes }
    return rest && { ...rest, bytes: joined(bytes, rest.bytes) }
  }

  class NoteTransport extends pdfjs.PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      const known = ahead.find((part) => part.start <= begin && begin < part.end)
      const asked = known ? take(known, begin, end) : read(begin, end)
      asked
        .then((part) => {
          if (signal.aborted) return
          if (part === null) onChanged()
          else this.onDataRange(begin, part.bytes)
        })
        .catch((failure: unknown) => signal.aborted || onLost(failure))
    }

    override abort(): void {
      aborter.abort()
    }
  }
  return new NoteTransport(first.totalBytes, first.bytes, first.bytes.length === first.totalBytes)
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

/** Temporary failures. Any other failure would occur again. */
const passing = [0, 429, 502, 503, 504]
const connectionLost = 'Connection lost. Pages will keep loading when you reconnect.'
const longestWaitSeconds = 15

/** Ends early when the connection returns. */
function waitBefore(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, 1000 * Math.min(seconds, longestWaitSeconds))
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
