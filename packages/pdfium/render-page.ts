import type { Form } from './form.ts'
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
