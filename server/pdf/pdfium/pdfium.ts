import { type PdfiumExports, startPdfium, withCallback } from './pdfium-wasm.ts'

const passwordError = 4
const saveWithoutHistory = 2

export type PdfiumDocument = {
  pageCount: number
  /** With a password or without one: some files open for everybody and are encrypted all the same. */
  isEncrypted: boolean
  /** `[width, height]` in points, without reading what is on the page. Null for a page that is not there. */
  measurePage(index: number): [number, number] | null
  /** How many texts, paths, pictures and so on the page draws. Null when it cannot be opened. */
  countPageObjects(index: number): number | null
  /** The same document written anew: one revision, one table, nothing deleted left. Null when PDFium cannot, or past `maxBytes`. */
  save(maxBytes: number): Uint8Array | null
  /** Gives its memory back. */
  close(): void
}

/** Opens a file as Chrome would, without a password. Throws when PDFium gives up: then nothing is known of the file. */
export type Pdfium = { open(bytes: Uint8Array): PdfiumDocument | 'locked' | 'unreadable' }

/**
 * Use one for each file from outside: what a hostile file does to its memory must not reach the next one.
 * @param maxHeapBytes what its memory may grow to.
 */
export async function createPdfium(maxHeapBytes: number): Promise<Pdfium> {
  const pdfium = await startPdfium(maxHeapBytes)
  return { open: (bytes) => openDocument(pdfium, bytes) }
}

function openDocument(pdfium: PdfiumExports, bytes: Uint8Array): PdfiumDocument | 'locked' | 'unreadable' {
  const data = allocate(pdfium, bytes.length)
  new Uint8Array(pdfium.memory.buffer).set(bytes, data)
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0)
  if (document === 0) return pdfium.FPDF_GetLastError() === passwordError ? 'locked' : 'unreadable'
  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    isEncrypted: pdfium.FPDF_GetSecurityHandlerRevision(document) !== -1,
    measurePage: (index) => measurePage(pdfium, document, index),
    countPageObjects: (index) => countPageObjects(pdfium, document, index),
    save: (maxBytes) => saveDocument(pdfium, document, maxBytes),
    close() {
      pdfium.FPDF_CloseDocument(document)
      pdfium.free(data)
    },
  }
}

function allocate(pdfium: PdfiumExports, size: number): number {
  const pointer = pdfium.malloc(size)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  return pointer
}

function measurePage(pdfium: PdfiumExports, document: number, index: number): [number, number] | null {
  const size = allocate(pdfium, 8)
  try {
    if (pdfium.FPDF_GetPageSizeByIndexF(document, index, size) === 0) return null
    const view = new DataView(pdfium.memory.buffer, size, 8)
    return [view.getFloat32(0, true), view.getFloat32(4, true)]
  } finally {
    pdfium.free(size)
  }
}

function countPageObjects(pdfium: PdfiumExports, document: number, index: number): number | null {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return null
  const count = pdfium.FPDFPage_CountObjects(page)
  pdfium.FPDF_ClosePage(page)
  return count
}

/** Written twice: to be counted, and into an array of that size. Gathering pieces would need the space twice. */
function saveDocument(pdfium: PdfiumExports, document: number, maxBytes: number): Uint8Array | null {
  let size = 0
  const isCounted = writeDocument(pdfium, document, (block) => {
    size += block.length
    return size <= maxBytes
  })
  // PDFium does not look at the answer to its last block.
  if (!isCounted || size > maxBytes) return null
  const saved = new Uint8Array(size)
  let at = 0
  const isWritten = writeDocument(pdfium, document, (block) => {
    if (at + block.length > size) return false
    saved.set(block, at)
    at += block.length
    return true
  })
  return isWritten && at === size ? saved : null
}

/** @param onBlock is given a view of PDFium's memory; false ends the writing. */
function writeDocument(pdfium: PdfiumExports, document: number, onBlock: (block: Uint8Array) => boolean): boolean {
  const writeBlock = (_writer: number, data: number, size: number) =>
    onBlock(new Uint8Array(pdfium.memory.buffer, data, size)) ? 1 : 0
  const writer = allocate(pdfium, 8)
  const saved = withCallback(pdfium, writeBlock, (pointer) => {
    const view = new DataView(pdfium.memory.buffer)
    view.setInt32(writer, 1, true) // FPDF_FILEWRITE.version
    view.setInt32(writer + 4, pointer, true) // FPDF_FILEWRITE.WriteBlock
    return pdfium.FPDF_SaveAsCopy(document, writer, saveWithoutHistory)
  })
  pdfium.free(writer)
  return saved === 1
}
