import type { Form } from './annotations.ts'
import { withMemory } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

/**
 * Sizes are in pixels. `whole` is the size of the whole page when only its upper left part is rendered. `turns` are
 * clockwise quarter rotations in addition to the page's own.
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

/**
 * `width` is in pixels. A page taller than `maxRatio` times its width is cut off at the bottom, a wider one at the
 * right.
 */
export type ImageSize = { width: number; maxRatio: number }
/** Each pixel has four bytes, row by row: red, green, blue and an unused one. */
export type PageImage = { width: number; height: number; pixels: Uint8Array }

/** The maximum side in pixels, because PDFium calculates with 32 bits. */
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
  // The size of the whole page, of which the image shows the upper left part.
  const whole = {
    width: Math.min(maxSide, Math.max(width, Math.round(height / ratio))),
    height: Math.min(maxSide, Math.max(height, Math.round(width * ratio))),
  }
  return { width, height, pixels: renderPage(pdfium, form, page, { width, height, whole }) }
}

/** Returns height divided by width of the page as shown: rotated and cropped. */
function readRatio(pdfium: PdfiumExports, page: number): number {
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1
}
