import { type PageImage, type Pdfium, withPdfium } from '../../../packages/pdfium/pdfium.ts'

const pictureSize = { width: 640, maxRatio: 3 }
/** A small sample in which no stroke vanishes. */
const glanceSize = { width: 160, maxRatio: 3 }
/** After this many blank pages the search for content ends. */
const maxBlankPages = 5
/** A scan of an empty sheet is not of one colour alone. */
const maxNoise = 24

/**
 * Renders the first page with content, or else the first. It may throw or never end on hostile bytes: run it in a
 * worker.
 */
export const renderThumbnail = (
  bytes: Uint8Array,
  maxHeapBytes: number,
): Promise<PageImage | 'locked' | 'unreadable'> => withPdfium(maxHeapBytes, (pdfium) => drawWith(pdfium, bytes))

function drawWith(pdfium: Pdfium, bytes: Uint8Array): PageImage | 'locked' | 'unreadable' {
  const document = pdfium.open(bytes)
  if (typeof document === 'string') return document
  for (let index = 0; index < Math.min(document.pageCount, maxBlankPages); index++) {
    const glance = document.renderImage(index, glanceSize)
    if (!glance || isBlank(glance)) continue
    const picture = document.renderImage(index, pictureSize)
    if (picture) return picture
  }
  return document.renderImage(0, pictureSize) ?? 'unreadable'
}

function isBlank({ pixels }: PageImage): boolean {
  for (let at = 0; at < pixels.length; at++) {
    if (at % 4 !== 3 && Math.abs((pixels[at] ?? 0) - (pixels[at % 4] ?? 0)) > maxNoise) return false
  }
  return true
}
