import { type Author, createNameMatcher } from '../name-check/find-name.ts'
import { drawPage } from './draw-page.ts'
import { withPdf } from './open-pdf.ts'
import { readPageText } from './page-text.ts'
import { type HitPlace, placeHit } from './place-hit.ts'

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
    for (const hit of createNameMatcher(author)(text)) {
      for (const place of context ? placeHit(hit, pieces, viewport, context) : []) {
        if (context) drawHighlight(context, place)
        tops.push(place.matrix.f / canvas.height)
      }
    }
    return { canvas, top: Math.min(1, ...tops) }
  })
}

/** @param place where the name stands on the canvas. */
function drawHighlight(context: CanvasRenderingContext2D, { matrix, from, width, height }: HitPlace): void {
  context.save()
  context.setTransform(matrix)
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = 'oklch(0.825 0.165 78 / 0.75)'
  context.fillRect(from - 3, -0.25 * height, width + 6, 1.3 * height)
  context.restore()
}
