import { createForm, type Form, type Removable, removeAnnotations, removeFields } from './annotations.ts'
import { allocate, withMemory, withPage } from './memory.ts'
import { type Heading, readOutline } from './outline.ts'
import { type PdfiumExports, type StartedPdfium, startPdfium, withCallback } from './pdfium-wasm.ts'
import { type ImageSize, type PageImage, type Rendering, renderImage, renderPage } from './render-page.ts'
import { type Character, readCharacters, readPageText } from './text.ts'

export type { Character, Heading, PageImage }

const passwordError = 4
const saveWithoutHistory = 2

/**
 * `box` is `[left, bottom, right, top]`, the visible part of the page in its own coordinates. Readers rotate the page
 * clockwise by `quarterTurns`.
 */
export type PagePlace = { box: [number, number, number, number]; quarterTurns: number }

export type PdfiumDocument = {
  pageCount: number
  /** Whether the file is encrypted, with a password or without: some encrypted files open without one. */
  isEncrypted: boolean
  hasForm: boolean
  /** Returns `[width, height]` in points without parsing the page. Null for a page that does not exist. */
  measurePage(index: number): [number, number] | null
  /** Returns the number of texts, paths, images and so on of a page. Null when it cannot be opened. */
  countPageObjects(index: number): number | null
  /** Generates appearances for annotations and fields without one on these pages, as a viewer does. */
  drawAnnotations(pages: Iterable<number>): void
  /**
   * Saves the document as a new file with one revision, one table and no deleted objects. Null on failure or past
   * `maxBytes`.
   */
  save(maxBytes: number): Uint8Array | null
  /** Returns the selectable text of a page in file order, up to `maxCharacters`. Null when it cannot be opened. */
  readText(index: number, maxCharacters: number): string | null
  /** Returns the table of contents that readers show beside the pages, up to `maxHeadings` entries. */
  readOutline(maxHeadings: number): Heading[]
  /** Removes annotations from the page in memory. */
  removeAnnotations(index: number, kinds: readonly Removable[]): void
  /** Removes fields from a page by their typed or chosen value. Returns their number. */
  removeFields(index: number, isUnwanted: (value: string) => boolean): number
  /** Returns null when the page cannot be opened. */
  placePage(index: number): PagePlace | null
  /** Returns the characters drawn on a page with their positions, in reading order. Null when it cannot be opened. */
  readCharacters(index: number): Character[] | null
  /**
   * Renders all that a reader shows of a page, form values included, on white. Each pixel has four bytes: red, green,
   * blue and an unused one. Null when it cannot be opened.
   */
  renderPage(index: number, rendering: Rendering): Uint8Array | null
  /** Renders like `renderPage`, with the given width and a height that follows from the page's proportions. */
  renderImage(index: number, size: ImageSize): PageImage | null
  /** Releases the memory of the document. */
  close(): void
}

/**
 * Opens a file as Chrome does, without a password. Throws when PDFium fails, and then the state of the file is unknown.
 */
export type Pdfium = { open(bytes: Uint8Array): PdfiumDocument | 'locked' | 'unreadable' }

/**
 * Creates a separate PDFium with an empty memory.
 * @param maxHeapBytes the maximum size of its memory.
 */
export async function createPdfium(maxHeapBytes: number): Promise<Pdfium> {
  const { exports, limitHeap } = await startPdfium()
  limitHeap(maxHeapBytes)
  return { open: (bytes) => openDocument(exports, bytes) }
}

/** A restored instance that is ready for the next file. */
let resting: StartedPdfium | null = null
/** Returns whether the next `withPdfium` can use a restored instance. */
export const isPdfiumReady = () => resting !== null

/**
 * Provides a PDFium for one untrusted file, so that a hostile file cannot affect the next one. Afterwards the instance
 * is restored byte for byte; if that is impossible or `work` fails, the next file gets a new instance.
 * @param maxHeapBytes the maximum size of its memory.
 * @param work must not use the instance after it has returned.
 */
export async function withPdfium<T>(maxHeapBytes: number, work: (pdfium: Pdfium) => T | Promise<T>): Promise<T> {
  const pdfium = resting ?? (await startPdfium())
  resting = null
  pdfium.limitHeap(maxHeapBytes)
  let isOver = false
  const open: Pdfium['open'] = (bytes) => {
    if (isOver) throw new Error('PDFium is not lent any more')
    return openDocument(pdfium.exports, bytes)
  }
  const result = await work({ open })
  isOver = true
  if (pdfium.restoreSnapshot()) resting = pdfium
  return result
}

function openDocument(pdfium: PdfiumExports, bytes: Uint8Array): PdfiumDocument | 'locked' | 'unreadable' {
  const data = allocate(pdfium, bytes.length)
  new Uint8Array(pdfium.memory.buffer).set(bytes, data)
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0)
  if (document === 0) return pdfium.FPDF_GetLastError() === passwordError ? 'locked' : 'unreadable'
  const form = createForm(pdfium, document)
  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    hasForm: pdfium.FPDF_GetFormType(document) > 0,
    isEncrypted: pdfium.FPDF_GetSecurityHandlerRevision(document) !== -1,
    measurePage: (index) => measurePage(pdfium, document, index),
    countPageObjects: (index) => countPageObjects(pdfium, document, index),
    drawAnnotations: (pages) => drawAnnotations(pdfium, form, document, pages),
    save: (maxBytes) => saveDocument(pdfium, document, maxBytes),
    readText: (index, maxCharacters) => readPageText(pdfium, document, index, maxCharacters),
    readOutline: (maxHeadings) => readOutline(pdfium, document, maxHeadings),
    removeAnnotations: (index, kinds) =>
      withPage(pdfium, document, index, (page) => removeAnnotations(pdfium, form, page, kinds)),
    removeFields: (index, isUnwanted) =>
      withPage(pdfium, document, index, (page) => removeFields(pdfium, form, page, isUnwanted)) ?? 0,
    placePage: (index) => withPage(pdfium, document, index, (page) => placePage(pdfium, page)),
    readCharacters: (index) => withPage(pdfium, document, index, (page) => readCharacters(pdfium, page)),
    renderPage: (index, rendering) =>
      withPage(pdfium, document, index, (page) => renderPage(pdfium, form, page, rendering)),
    renderImage: (index, size) => withPage(pdfium, document, index, (page) => renderImage(pdfium, form, page, size)),
    close() {
      form.close()
      pdfium.FPDF_CloseDocument(document)
      pdfium.free(data)
    },
  }
}

const measurePage = (pdfium: PdfiumExports, document: number, index: number): [number, number] | null =>
  withMemory(pdfium, 8, (size) => {
    if (pdfium.FPDF_GetPageSizeByIndexF(document, index, size) === 0) return null
    const view = new DataView(pdfium.memory.buffer, size, 8)
    return [view.getFloat32(0, true), view.getFloat32(4, true)]
  })

const countPageObjects = (pdfium: PdfiumExports, document: number, index: number): number | null =>
  withPage(pdfium, document, index, (page) => pdfium.FPDFPage_CountObjects(page))

const placePage = (pdfium: PdfiumExports, page: number): PagePlace | null =>
  withMemory(pdfium, 16, (room) => {
    if (pdfium.FPDF_GetPageBoundingBox(page, room) === 0) return null
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer.slice(room, room + 16))
    // The rotation is negative when the file has a negative one; PDFium does not rotate such a page.
    return { box: [left, bottom, right, top], quarterTurns: Math.max(0, pdfium.FPDFPage_GetRotation(page)) }
  })

/** PDFium generates appearances when a page with a form environment is opened. */
function drawAnnotations(pdfium: PdfiumExports, form: Form, document: number, pages: Iterable<number>): void {
  for (const index of pages) {
    withPage(pdfium, document, index, (page) => {
      pdfium.FORM_OnAfterLoadPage(page, form.handle())
      pdfium.FORM_OnBeforeClosePage(page, form.handle())
    })
  }
}

/**
 * Writes the document twice, first to measure it and then into an array of that size. Collecting chunks would need
 * twice the memory.
 */
function saveDocument(pdfium: PdfiumExports, document: number, maxBytes: number): Uint8Array | null {
  let size = 0
  const isCounted = writeDocument(pdfium, document, (block) => {
    size += block.length
    return size <= maxBytes
  })
  // PDFium ignores the return value for its last block.
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

/** @param onBlock receives a view of PDFium's memory; it returns false to stop. */
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

/**
 * Requires the header at the start, after at most blanks or a byte order mark. Readers accept any 1,024 bytes before
 * it, which would let a file be a web page, a script or an archive as well as a PDF.
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  return /^(\xef\xbb\xbf)?[ \t\r\n]*%PDF-/.test(start)
}
