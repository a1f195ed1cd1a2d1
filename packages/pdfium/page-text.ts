import { withMemory, withPage } from './memory.ts'
import type { PdfiumExports } from './pdfium-wasm.ts'

export function readPageText(
  pdfium: PdfiumExports,
  document: number,
  index: number,
  maxCharacters: number,
): string | null {
  return withPage(pdfium, document, index, (page) => {
    const text = pdfium.FPDFText_LoadPage(page)
    if (text === 0) return null
    try {
      const count = Math.min(pdfium.FPDFText_CountChars(text), maxCharacters)
      if (count <= 0) return ''
      // UTF-16, with a zero at the end.
      const bytes = 2 * (count + 1)
      return withMemory(pdfium, bytes, (pointer) => {
        const written = pdfium.FPDFText_GetText(text, 0, count, pointer)
        return decodeUtf16(pdfium, pointer, 2 * Math.max(0, Math.min(written, count + 1) - 1))
      })
    } finally {
      pdfium.FPDFText_ClosePage(text)
    }
  })
}

/** Halves of characters become `U+FFFD`. */
export const decodeUtf16 = (pdfium: PdfiumExports, pointer: number, bytes: number): string =>
  new TextDecoder('utf-16le').decode(new Uint8Array(pdfium.memory.buffer, pointer, bytes))
