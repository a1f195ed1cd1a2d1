import type { PdfiumExports } from './pdfium-wasm.ts'

/** What PDFium needs to show a document's fields. Made when it is asked for: that takes a look at each of them. */
export type Form = { handle(): number; close(): void }

/** No script runs: this PDFium has none. */
export function createForm(pdfium: PdfiumExports, document: number): Form {
  let info = 0
  let form = 0
  return {
    handle() {
      if (info === 0) {
        info = pdfium.PDFiumExt_OpenFormFillInfo()
        form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info)
      }
      return form
    },
    close() {
      if (info === 0) return
      pdfium.PDFiumExt_ExitFormFillEnvironment(form)
      pdfium.PDFiumExt_CloseFormFillInfo(info)
    },
  }
}
