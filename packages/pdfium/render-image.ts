import type { Form } from './form.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'
import { renderPage } from './render-page.ts'

/** In pixels. What is longer than `maxRatio` times its width is cut off below, what is wider on the right. */
export type PictureSize = { width: number; maxRatio: number }
/** Red, green, blue and a byte without meaning for each pixel, row by row. */
export type Picture = { width: number; height: number; pixels: Uint8Array }

/** PDFium counts in 32 bits: longer than this no side is drawn, however odd the page. */
const maxSide = 30_000

/** See `PdfiumDocument.renderPicture`. */
export function renderPicture(
  pdfium: PdfiumExports,
  form: Form,
  page: number,
  { width, maxRatio }: PictureSize,
): Picture {
  const ratio = readRatio(pdfium, page)
  const height = Math.round(width * Math.min(maxRatio, Math.max(1 / maxRatio, ratio)))
  // The whole page, of which the picture shows the upper left.
  const whole = {
    width: Math.min(maxSide, Math.max(width, Math.round(height / ratio))),
    height: Math.min(maxSide, Math.max(height, Math.round(width * ratio))),
  }
  return { width, height, pixels: renderPage(pdfium, form, page, { width, height, whole }) }
}

/** Height for width, as the page is shown: rotated and cropped. */
function readRatio(pdfium: PdfiumExports, page: number): number {
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}
