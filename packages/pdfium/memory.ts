import type { PdfiumExports } from './pdfium-wasm.ts'

/** @returns the address of newly allocated memory in PDFium, which the caller releases with `free`. */
export function allocate(pdfium: PdfiumExports, bytes: number): number {
  const pointer = pdfium.malloc(bytes)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  return pointer
}

/** Allocates PDFium's memory for as long as `work` runs. */
export function withMemory<T>(pdfium: PdfiumExports, bytes: number, work: (pointer: number) => T): T {
  const pointer = allocate(pdfium, bytes)
  try {
    return work(pointer)
  } finally {
    pdfium.free(pointer)
  }
}

/** Returns null when the page cannot be opened. */
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
