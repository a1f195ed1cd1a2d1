import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import { pdfjs } from '../../../platform/pdf/pdfjs.ts'
import type { NameHit } from '../name-check/find-name.ts'

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
