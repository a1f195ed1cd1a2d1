import type { PDFDataRangeTransport } from 'pdfjs-dist'
import { viewNote } from '../../../../packages/contract/notes.endpoints.ts'
import { ApiError, api, type FilePart } from '../../../platform/api/client.ts'
import type { Pdfjs } from './load-pdfjs.ts'

/** What is asked for at once. pdf.js asks for neighbouring chunks together. */
export const chunkBytes = 32 * 2 ** 10
/** A file up to this size comes in one request: asking for its end and its middle would take longer. */
export const singleRequestMaxBytes = 256 * 2 ** 10
/** pdf.js asks for a large picture at once. */
const maxRangeBytes = 256 * 2 ** 10
/** How much of the end is asked for at least: the table of a file, by which it is read, has 20 bytes for each object. */
const tableBytes = 16 * 2 ** 10

/** The beginning of a note's file, up to `end`. Throws `ApiError`. */
export async function readFirstPart(noteId: string, end: number, signal: AbortSignal): Promise<FilePart> {
  const part = await api.callRange(viewNote, { params: { id: noteId }, range: { start: 0, end }, signal })
  // Without an ETag to compare with there is always a part.
  return part ?? Promise.reject(new ApiError({ status: 0, body: null }))
}

/** A part of a file that is on its way; null where it cannot be had, which asking for it again will tell. */
export type PrefetchedRange = { start: number; end: number; part: Promise<FilePart | null> }

/** Asks for a part before it is known whether it will be needed. */
export function prefetchRange(
  noteId: string,
  range: { start: number; end: number },
  signal: AbortSignal,
): PrefetchedRange {
  return { ...range, part: api.callRange(viewNote, { params: { id: noteId }, range, signal }).catch(() => null) }
}

/**
 * Where the end of a file begins that is asked for with its beginning: nearly every file is read from there, where its
 * table is. Of a small one it is all of it.
 */
export const trailerStart = (totalBytes: number) =>
  totalBytes <= singleRequestMaxBytes ? 0 : Math.floor((totalBytes - tableBytes) / chunkBytes) * chunkBytes

type Events = {
  /** Why a part is asked for again and again; null once it is there. */
  onStalled: (reason: string | null) => void
  /** The file is another one by now. */
  onChanged: () => void
  /** There is nothing more to be had: the note is gone, or nobody is signed in any more. */
  onLost: (failure: unknown) => void
}

/** A note's file as pdf.js reads it, until it is closed. */
export function loadFile(
  modules: Pdfjs,
  port: Worker,
  noteId: string,
  first: FilePart,
  ahead: PrefetchedRange[],
  events: Events,
) {
  const { pdfjs, assets } = modules
  const transport = createTransport(modules, noteId, first, ahead, events)
  const isWhole = first.bytes.length === first.totalBytes
  // Its types know of no port.
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

/** The rest of a file, as pdf.js asks for it: through the API client, with its refresh, and patiently. */
export function createTransport(
  { pdfjs }: Pdfjs,
  noteId: string,
  first: FilePart,
  ahead: PrefetchedRange[],
  { onStalled, onChanged, onLost }: Events,
): PDFDataRangeTransport {
  const aborter = new AbortController()
  const { signal } = aborter

  /** In parts, so that a lost connection costs no more than the last of them. */
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

  /** What is on its way already, if it is of the same file, and what is missing of it. */
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

/** The connection or the server is away, or asks to wait. What else fails does so again. */
const passing = [0, 429, 502, 503, 504]
const connectionLost = 'The connection is lost. The pages go on loading as soon as it is back.'
const longestWaitSeconds = 15

/** No longer than until the connection is back. */
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
