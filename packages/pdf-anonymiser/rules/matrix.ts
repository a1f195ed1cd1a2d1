import type { PdfDict } from '../syntax/values.ts'
import type { Copier } from './copier.ts'

export type Matrix = [number, number, number, number, number, number]
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

type Rect = { left: number; bottom: number; right: number; top: number }

const noRotateFlag = 16

/**
 * Returns the matrix that places an annotation's appearance on the page (ISO 32000-1, 12.5.5): its box, transformed by
 * its own matrix, fills the annotation's rectangle. Null if the rectangle or the box is invalid.
 */
export function fitToRect(picture: PdfDict, annotation: PdfDict, copy: Copier, pageRotation: number): Matrix | null {
  const rect = readRect(annotation, 'Rect', copy)
  const box = readRect(picture, 'BBox', copy)
  const own = readNumbers(picture, 'Matrix', 6, copy) ?? identity
  if (!rect || !box) return null
  const from = boundsOf(box, own as Matrix)
  const scaleX = scale(from.right - from.left, rect.right - rect.left)
  const scaleY = scale(from.top - from.bottom, rect.top - rect.bottom)
  const x = rect.left - from.left * scaleX
  const y = rect.bottom - from.bottom * scaleY
  const flags = copy.source.resolve(annotation.get('F'))
  const isUpright = typeof flags === 'number' && (flags & noRotateFlag) !== 0
  const [cos, sin] = isUpright ? (turns[(((pageRotation / 90) % 4) + 4) % 4] ?? [1, 0]) : [1, 0]
  // Rotates around the upper left corner, so that the appearance is upright on a rotated page.
  const [dx, dy] = [x - rect.left, y - rect.top]
  return [
    scaleX * cos,
    scaleX * sin,
    -scaleY * sin,
    scaleY * cos,
    rect.left + dx * cos - dy * sin,
    rect.top + dx * sin + dy * cos,
  ]
}

/** The cosine and sine of each quarter rotation. */
const turns: [number, number][] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/** Readers do not scale an appearance of zero width or height. */
const scale = (from: number, to: number) => (from < 0.001 ? 1 : to / from)

function boundsOf({ left, bottom, right, top }: Rect, [a, b, c, d, e, f]: Matrix): Rect {
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  )
  return toRect(
    corners.map(([x]) => x),
    corners.map(([, y]) => y),
  )
}

function readRect(dict: PdfDict, key: string, copy: Copier): Rect | undefined {
  const [x1, y1, x2, y2] = readNumbers(dict, key, 4, copy) ?? []
  return x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined
    ? undefined
    : toRect([x1, x2], [y1, y2])
}

const toRect = (xs: number[], ys: number[]): Rect => ({
  left: Math.min(...xs),
  bottom: Math.min(...ys),
  right: Math.max(...xs),
  top: Math.max(...ys),
})

function readNumbers(dict: PdfDict, key: string, count: number, copy: Copier): number[] | undefined {
  const list = copy.source.resolve(dict.get(key))
  const values = Array.isArray(list) ? list.slice(0, count).map((item) => copy.source.resolve(item)) : []
  const read = values.filter((value) => typeof value === 'number')
  return read.length === count ? read : undefined
}
