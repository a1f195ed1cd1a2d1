import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { Note } from '../../../../packages/contract/notes.ts'
import { unlessAborted } from '../../../platform/api/pause.ts'
import { chunkBytes, loadFile, loadPdfjs, readFirstPart, singleRequestMaxBytes, startWorker } from './note-file.ts'

export async function drawPage(
  document: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  widthPx: number,
  signal: AbortSignal,
): Promise<void> {
  const page = await document.getPage(number)
  if (signal.aborted) return
  const { width } = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: (widthPx * window.devicePixelRatio) / width })
  canvas.width = viewport.width
  canvas.height = viewport.height
  canvas.style.aspectRatio = `${viewport.width} / ${viewport.height}`
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel())
  await task.promise
  page.cleanup()
}

/** Draws a page of a note that is not open in a reader. Rejects if it cannot be drawn. */
export async function drawPageOf(
  { _id, document: { bytes } }: Note,
  number: number,
  widthPx: number,
  asked: AbortSignal,
): Promise<HTMLCanvasElement> {
  // A listener on an aborted signal never runs, so the worker would stay.
  asked.throwIfAborted()
  const aborter = new AbortController()
  const { signal } = aborter
  asked.addEventListener('abort', () => aborter.abort(asked.reason), { signal })
  const canvas = document.createElement('canvas')
  const draw = async () => {
    const [modules, worker, first] = await Promise.all([
      loadPdfjs(),
      startWorker(signal),
      readFirstPart(_id, bytes <= singleRequestMaxBytes ? bytes : chunkBytes, signal),
    ])
    signal.throwIfAborted()
    const { loading, close } = loadFile(modules, worker, _id, first, [], {
      onStalled() {},
      onChanged: () => aborter.abort(),
      onLost: (failure) => aborter.abort(failure),
    })
    signal.addEventListener('abort', close)
    await drawPage(await loading.promise, number, canvas, widthPx, signal)
  }
  try {
    await unlessAborted(signal, draw)
    return canvas
  } finally {
    aborter.abort()
  }
}
