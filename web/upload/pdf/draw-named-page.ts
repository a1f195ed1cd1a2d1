import { pdfjs } from '../../pdf/pdfjs.ts'
import { type Author, type NameHit, nameFinder } from '../names/find-name.ts'
import { drawPage } from './draw-page.ts'
import { withPdf } from './open-pdf.ts'
import { type Piece, readPageText } from './page-text.ts'

const drawLimitMs = 15_000
const box = { width: 880, height: 1240 }

/**
 * Draws a page and strikes every place that names the author with the highlighter.
 * @returns the page, and how far down the first place is: 0 at the top, 1 at the bottom.
 */
export async function drawNamedPage(file: File, number: number, author: Author) {
  return withPdf(await file.arrayBuffer(), drawLimitMs, async (pdf) => {
    const page = await pdf.getPage(number)
    const { canvas, viewport } = await drawPage(page, box)
    const { text, pieces } = await readPageText(page)
    const context = canvas.getContext('2d')
    const tops: number[] = []
    for (const hit of nameFinder(author)(text)) {
      for (const piece of pieces) {
        const part = partWithin(piece, hit)
        if (!part || !context) continue
        const place = pdfjs.Util.transform(viewport.transform, piece.transform)
        strike(context, place, piece, viewport.scale, part)
        tops.push((place[5] ?? 0) / canvas.height)
      }
    }
    return { canvas, top: Math.min(1, ...tops) }
  })
}

/** The letters of a piece of text that belong to a hit. */
function partWithin(piece: Piece, hit: NameHit): NameHit | null {
  const start = Math.max(0, hit.start - piece.start)
  const end = Math.min(piece.text.length, hit.end - piece.start)
  return start < end ? { start, end } : null
}

/** @param place where the piece begins on the canvas, and how it is turned. */
function strike(
  context: CanvasRenderingContext2D,
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[],
  piece: Piece,
  scale: number,
  part: NameHit,
): void {
  // Along the line and across it, one unit as long as on the canvas.
  const along = Math.hypot(a, b) || 1
  const across = Math.hypot(c, d) || 1
  context.save()
  context.transform(a / along, b / along, c / across, d / across, e, f)
  // Another font's widths tell well enough where in the line a letter stands.
  context.font = '100px serif'
  const widthOf = (text: string) => context.measureText(text).width
  const unit = (piece.width * scale) / (widthOf(piece.text) || 1)
  const from = widthOf(piece.text.slice(0, part.start)) * unit
  const width = widthOf(piece.text.slice(part.start, part.end)) * unit
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = 'oklch(0.825 0.165 78 / 0.75)'
  context.fillRect(from - 3, -0.25 * across, width + 6, 1.3 * across)
  context.restore()
}
