import type { PageViewport, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { OperationsFilter } from 'pdfjs-dist/types/src/display/api'
import { unlessAborted } from '../../../platform/api/pause.ts'
import { assets } from '../../../platform/pdf/assets.ts'
import { pdfjs } from '../../../platform/pdf/pdfjs.ts'
import type { NameHit } from '../name-check/find-name.ts'

/** Images with more pixels are not decoded, because the page is only previewed here. */
const maxImagePoints = 2 ** 26

/**
 * Opens a PDF for `use`, for at most `limitMs`. Each PDF has its own worker, which is destroyed afterwards together
 * with stuck tasks and memory. @throws the error of pdf.js for a broken file, `PasswordException` for a locked one,
 * `TimeoutError`
 */
export async function withPdf<T>(
  content: ArrayBuffer,
  limitMs: number,
  use: (pdf: PDFDocumentProxy) => Promise<T>,
): Promise<T> {
  const worker = new pdfjs.PDFWorker()
  const loading = pdfjs.getDocument({
    ...assets,
    data: content,
    worker,
    maxImageSize: maxImagePoints,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    disableWorkerRendering: true,
  })
  try {
    return await unlessAborted(AbortSignal.timeout(limitMs), () =>
      // Destroying the document also removes the fonts that it added to this page.
      loading.promise.then(use).finally(() => loading.destroy()),
    )
  } finally {
    worker.destroy()
  }
}

/** Draws a page as large as fits into a box in pixels. @param operationsFilter selects the operations to draw. */
export async function drawPage(
  page: PDFPageProxy,
  box: { width: number; height: number },
  operationsFilter?: OperationsFilter,
) {
  const whole = page.getViewport({ scale: 1 })
  const scale = Math.min(box.width / whole.width, box.height / whole.height)
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(viewport.width))
  canvas.height = Math.max(1, Math.round(viewport.height))
  await page.render({ canvas, viewport, background: '#fff', operationsFilter }).promise
  return { canvas, viewport }
}

export async function drawThumbnail(pdf: PDFDocumentProxy): Promise<string> {
  // The size is twice the displayed one, for high-resolution screens.
  const { canvas } = await drawPage(await pdf.getPage(1), { width: 160, height: 208 })
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp'))
  if (picture === null) throw new Error('The browser could not make a picture of the page')
  return URL.createObjectURL(picture)
}

type Page = Pick<PDFPageProxy, 'getTextContent'>
/** A piece of text on the page. `transform` is its start and rotation. */
type Piece = { start: number; text: string; transform: number[]; width: number; height: number }
export type PageText = { text: string; pieces: Piece[] }

/** Returns the whole text of a page and the position of each piece on the page. */
export async function readPageText(page: Page): Promise<PageText> {
  const { items } = await page.getTextContent()
  let text = ''
  const pieces: Piece[] = []
  for (const item of items) {
    if (!('str' in item)) continue
    const { str, transform, width, height } = item
    pieces.push({ start: text.length, text: str, transform, width, height })
    text += item.hasEOL ? `${str}\n` : str
  }
  return { text, pieces }
}

/**
 * The position of a hit in a piece of text on the canvas. `matrix` maps to the start of the piece, rotated like its
 * text; `from` and `width` run along the text, and `height` is its size, in pixels.
 */
export type HitPlace = { matrix: DOMMatrix; from: number; width: number; height: number }

/** Returns the positions of a hit on a drawn page: one for each piece of text that it touches. */
export function placeHit(
  hit: NameHit,
  pieces: Piece[],
  viewport: PageViewport,
  context: CanvasRenderingContext2D,
): HitPlace[] {
  return pieces.flatMap((piece) => {
    const start = Math.max(0, hit.start - piece.start)
    const end = Math.min(piece.text.length, hit.end - piece.start)
    return start < end ? [placePart(piece, start, end, viewport, context)] : []
  })
}

function placePart(
  piece: Piece,
  start: number,
  end: number,
  viewport: PageViewport,
  context: CanvasRenderingContext2D,
): HitPlace {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[] = pdfjs.Util.transform(viewport.transform, piece.transform)
  // The matrix is scaled so that one unit is one canvas pixel, along the text and across it.
  const along = Math.hypot(a, b) || 1
  const height = Math.hypot(c, d) || 1
  // The widths of another font are accurate enough to locate a letter in the text.
  context.font = '100px serif'
  const widthOf = (text: string) => context.measureText(text).width
  const unit = (piece.width * viewport.scale) / (widthOf(piece.text) || 1)
  return {
    matrix: new DOMMatrix([a / along, b / along, c / height, d / height, e, f]),
    from: widthOf(piece.text.slice(0, start)) * unit,
    width: widthOf(piece.text.slice(start, end)) * unit,
    height,
  }
}
