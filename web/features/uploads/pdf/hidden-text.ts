import type { PDFPageProxy } from 'pdfjs-dist'
import { pdfjs } from '../../../platform/pdf/pdfjs.ts'
import type { NameHit } from '../name-check/find-name.ts'
import { drawPage } from './draw-page.ts'
import type { PageText } from './page-text.ts'
import { type HitPlace, placeHit } from './place-hit.ts'

const box = { width: 880, height: 1240 }
/** A smaller difference, of 255, is not readable. */
const visibleContrast = 12

/**
 * Returns the hits on a page that are invisible for any reason: no ink, outside the page, clipped, covered, or in the
 * colour of the background. There the page looks the same when it is drawn without its text.
 */
export async function findHiddenHits(page: PDFPageProxy, { pieces }: PageText, hits: NameHit[]): Promise<NameHit[]> {
  const { canvas, viewport } = await drawPage(page, box)
  const { canvas: blank } = await drawPage(page, box, (at, { fnArray }) => fnArray[at] !== pdfjs.OPS.showText)
  const [context, blankContext] = [canvas.getContext('2d'), blank.getContext('2d')]
  if (!context || !blankContext) return []
  return hits.filter((hit) =>
    placeHit(hit, pieces, viewport, context).every((place) => {
      const { x, y, width, height } = boundsOf(place, canvas)
      if (width <= 0 || height <= 0) return true
      const { data } = context.getImageData(x, y, width, height)
      const { data: without } = blankContext.getImageData(x, y, width, height)
      return data.every((value, at) => Math.abs(value - (without[at] ?? 0)) <= visibleContrast)
    }),
  )
}

/** Returns slightly fewer pixels than the name covers, because its neighbours may be visible. */
function boundsOf({ matrix, from, width, height }: HitPlace, canvas: HTMLCanvasElement) {
  const corners = [0.15, 0.85].flatMap((along) =>
    [0, 0.7].map((up) => matrix.transformPoint({ x: from + along * width, y: up * height })),
  )
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)))
  const x = within(Math.min(...corners.map((corner) => corner.x)), canvas.width)
  const y = within(Math.min(...corners.map((corner) => corner.y)), canvas.height)
  const right = within(Math.max(...corners.map((corner) => corner.x)), canvas.width)
  const bottom = within(Math.max(...corners.map((corner) => corner.y)), canvas.height)
  return { x, y, width: right - x, height: bottom - y }
}
