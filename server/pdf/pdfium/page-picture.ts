import { withMemory, withPage } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

/** In pixels. What is longer than `maxRatio` times its width is cut off below, what is wider on the right. */
export type PictureSize = { width: number; maxRatio: number }
/** Red, green, blue and a byte without meaning for each pixel, row by row. */
export type Picture = { width: number; height: number; pixels: Uint8Array }

const bgrx = 3
const white = 0xffffffff
const withAnnotations = 0x01
const redFirst = 0x10
/** PDFium counts in 32 bits: longer than this no side is drawn, however odd the page. */
const maxSide = 30_000

export function drawPage(
  pdfium: PdfiumExports,
  document: number,
  index: number,
  { width, maxRatio }: PictureSize,
): Picture | null {
  return withPage(pdfium, document, index, (page) => {
    const ratio = readRatio(pdfium, page)
    const height = Math.round(width * Math.min(maxRatio, Math.max(1 / maxRatio, ratio)))
    // The whole page, of which the picture shows the upper left.
    const pageWidth = Math.min(maxSide, Math.max(width, Math.round(height / ratio)))
    const pageHeight = Math.min(maxSide, Math.max(height, Math.round(width * ratio)))
    return withMemory(pdfium, width * height * 4, (pointer) => {
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgrx, pointer, width * 4)
      if (bitmap === 0) return null
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, pageWidth, pageHeight, 0, withAnnotations | redFirst)
      pdfium.FPDFBitmap_Destroy(bitmap)
      return { width, height, pixels: new Uint8Array(pdfium.memory.buffer, pointer, width * height * 4).slice() }
    })
  })
}

/** Height for width, as the page is shown: rotated and cropped. */
function readRatio(pdfium: PdfiumExports, page: number): number {
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}
