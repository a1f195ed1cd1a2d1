import { withMemory } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

const form = 5 // FPDF_PAGEOBJ_FORM
const maxDepth = 20
const key = Buffer.from('ActualText\0')

/**
 * Has PDFium read what is drawn: a file may say of any part of a page that it reads as something else. From the page as
 * it is in memory.
 */
export function removeReplacementTexts(pdfium: PdfiumExports, page: number): void {
  withMemory(pdfium, key.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer).set(key, pointer)
    const visit = (object: number, depth: number) => {
      for (let index = pdfium.FPDFPageObj_CountMarks(object) - 1; index >= 0; index--)
        pdfium.FPDFPageObjMark_RemoveParam(object, pdfium.FPDFPageObj_GetMark(object, index), pointer)
      if (pdfium.FPDFPageObj_GetType(object) !== form || depth > maxDepth) return
      for (let index = pdfium.FPDFFormObj_CountObjects(object) - 1; index >= 0; index--)
        visit(pdfium.FPDFFormObj_GetObject(object, index), depth + 1)
    }
    for (let index = pdfium.FPDFPage_CountObjects(page) - 1; index >= 0; index--)
      visit(pdfium.FPDFPage_GetObject(page, index), 0)
  })
}
