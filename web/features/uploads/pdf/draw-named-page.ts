import { type Author, createNameMatcher } from '../name-check/find-name.ts'
import { drawPage, withPdf } from './open-pdf.ts'
import { type HitPlace, placeHit, readPageText } from './page-text.ts'

const drawLimitMs = 15_000
const box = { width: 880, height: 1240 }

/**
 * Draws a page and highlights every match of the author's name.
 * @returns the canvas and the vertical position of the first match: 0 is the top, 1 the bottom.
 */
export async function drawNamedPage(file: File, number: number, author: Author) {
  return withPdf(await file.arrayBuffer(), drawLimitMs, async (pdf) => {
    const page = await pdf.getPage(number)
    const { canvas, viewport } = await drawPage(page, box)
    const { text, pieces } = await readPageText(page)
    const context = canvas.getContext('2d')
    const tops: number[] = []
    for (const hit of createNameMatcher(author)(text)) {
      for (const place of context ? placeHit(hit, pieces, viewport, context) : []) {
        if (context) drawHighlight(context, place)
        tops.push(place.matrix.f / canvas.height)
      }
    }
    return { canvas, top: Math.min(1, ...tops) }
  })
}

function drawHighlight(context: CanvasRenderingContext2D, { matrix, from, width, height }: HitPlace): void {
  context.save()
  context.setTransform(matrix)
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = 'oklch(0.825 0.165 78 / 0.75)'
  context.fillRect(from - 3, -0.25 * height, width + 6, 1.3 * height)
  context.restore()
}
