import type { PdfiumExports } from './pdfium-wasm.ts'

/** @returns where so many bytes of PDFium's memory begin; `free` gives them back. */
export function allocate(pdfium: PdfiumExports, bytes: number): number {
  const pointer = pdfium.malloc(bytes)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  return pointer
}

/** Lends so many bytes of PDFium's memory for as long as `work` runs. */
export function withMemory<T>(pdfium: PdfiumExports, bytes: number, work: (pointer: number) => T): T {
  const pointer = allocate(pdfium, bytes)
  try {
    return work(pointer)
  } finally {
    pdfium.free(pointer)
  }
}

/** Null when the page cannot be opened. */
export function withPage<T>(
  pdfium: PdfiumExports,
  document: number,
  index: number,
  work: (page: number) => T,
): T | null {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return null
  try {
    return work(page)
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}
