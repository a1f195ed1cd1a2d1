import type { PDFDataRangeTransport } from 'pdfjs-dist'
import { viewNote } from '../../../../contract/notes.endpoints.ts'
import { ApiError, api, type FilePart } from '../../../api/client.ts'
import { isGone } from '../../failures.ts'
import type { Pdfjs } from './load-pdfjs.ts'

/** What is asked for at once. pdf.js asks for neighbouring chunks together. */
export const chunkBytes = 32 * 2 ** 10
/** A file up to this size comes in one request: asking for its end and its middle would take longer. */
const wholeUpToBytes = 256 * 2 ** 10

/** The beginning of a note's file, or all of a small one. Throws `ApiError`. */
export async function readFirstPart(noteId: string, fileBytes: number, signal: AbortSignal): Promise<FilePart> {
  const end = fileBytes <= wholeUpToBytes ? Math.max(fileBytes, 1) : chunkBytes
  const part = await api.callRange(viewNote, { params: { id: noteId }, range: { start: 0, end }, signal })
  // Without an ETag to compare with there is always a part.
  return part ?? Promise.reject(new ApiError({ status: 0, body: null }))
}

/**
 * The end of a file, on its way with its beginning: nearly every file is read from there, where its table is. Null of a
 * small one, and where it cannot be had, which asking for it again will tell.
 */
export async function readLastPart(noteId: string, fileBytes: number, signal: AbortSignal): Promise<FilePart | null> {
  if (fileBytes <= wholeUpToBytes) return null
  const range = { start: lastChunkOf(fileBytes), end: fileBytes }
  return api.callRange(viewNote, { params: { id: noteId }, range, signal }).catch(() => null)
}

const lastChunkOf = (totalBytes: number) => Math.floor((totalBytes - 1) / chunkBytes) * chunkBytes

type Events = {
  /** Whether a part is being asked for again and again, because the connection or the server is away. */
  onStalled: (isStalled: boolean) => void
  /** The file is another one by now. */
  onChanged: () => void
  /** There is nothing more to be had: the note is gone, or nobody is signed in any more. */
  onLost: (failure: unknown) => void
}

/** The rest of a file, as pdf.js asks for it: through the API client, with its refresh, and patiently. */
export function createTransport(
  { pdfjs }: Pdfjs,
  noteId: string,
  first: FilePart,
  last: Promise<FilePart | null>,
  { onStalled, onChanged, onLost }: Events,
): PDFDataRangeTransport {
  const aborter = new AbortController()
  const { signal } = aborter

  async function read(start: number, end: number): Promise<FilePart | null> {
    const range = { start, end, etag: first.etag }
    for (let attempt = 0; ; attempt++) {
      try {
        const part = await api.callRange(viewNote, { params: { id: noteId }, range, signal })
        onStalled(false)
        return part
      } catch (failure) {
        if (signal.aborted || isGone(failure) || (failure instanceof ApiError && failure.status === 401)) throw failure
        onStalled(true)
        await waitBefore(attempt, signal)
      }
    }
  }

  /** What has come already, if it is of the same file. */
  async function readLast(start: number, end: number): Promise<FilePart | null> {
    const part = await last
    const isSame = part?.etag === first.etag && part.bytes.length === end - start
    return isSame ? part : read(start, end)
  }

  class NoteTransport extends pdfjs.PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      const asked = begin === lastChunkOf(first.totalBytes) ? readLast(begin, end) : read(begin, end)
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

const longestWaitMs = 15_000

/** Twice as long each time, but no longer than until the connection is back. */
function waitBefore(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(1000 * 2 ** attempt, longestWaitMs))
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
