import type { Form } from './annotations.ts'
import { withMemory } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

/**
 * In pixels. `whole`: the size of the whole page where its upper left alone is asked for. `turns`: quarters of a circle,
 * with the clock, beyond those that the page asks for.
 */
export type Rendering = { width: number; height: number; whole?: { width: number; height: number }; turns?: number }

const bgrx = 3
const white = 0xffffffff
const withAnnotations = 0x01
const redFirst = 0x10

/** See `PdfiumDocument.renderPage`. */
export function renderPage(
  pdfium: PdfiumExports,
  form: Form,
  page: number,
  { width, height, whole = { width, height }, turns = 0 }: Rendering,
): Uint8Array {
  return withMemory(pdfium, width * height * 4, (pointer) => {
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgrx, pointer, width * 4)
    if (bitmap === 0) throw new Error('PDFium has no room to draw')
    const flags = withAnnotations | redFirst
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, whole.width, whole.height, turns, flags)
    if (pdfium.FPDFPage_GetAnnotCount(page) > 0) {
      pdfium.FORM_OnAfterLoadPage(page, form.handle())
      pdfium.FPDF_FFLDraw(form.handle(), bitmap, page, 0, 0, whole.width, whole.height, turns, flags)
      pdfium.FORM_OnBeforeClosePage(page, form.handle())
    }
    pdfium.FPDFBitmap_Destroy(bitmap)
    return new Uint8Array(pdfium.memory.buffer, pointer, width * height * 4).slice()
  })
}

/** In pixels. What is longer than `maxRatio` times its width is cut off below, what is wider on the right. */
export type ImageSize = { width: number; maxRatio: number }
/** Red, green, blue and a byte without meaning for each pixel, row by row. */
export type PageImage = { width: number; height: number; pixels: Uint8Array }

/** PDFium counts in 32 bits: longer than this no side is drawn, however odd the page. */
const maxSide = 30_000

/** See `PdfiumDocument.renderImage`. */
export function renderImage(
  pdfium: PdfiumExports,
  form: Form,
  page: number,
  { width, maxRatio }: ImageSize,
): PageImage {
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
