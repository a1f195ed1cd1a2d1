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
 * `box` is `[left, bottom, right, top]`, what shows of the page, as its description counts. Readers turn it by so many
 * quarters of a circle, with the clock.
 */
export type PagePlace = { box: [number, number, number, number]; quarterTurns: number }

export type PdfiumDocument = {
  pageCount: number
  /** With a password or without one: some files open for everybody and are encrypted all the same. */
  isEncrypted: boolean
  hasForm: boolean
  /** `[width, height]` in points, without reading what is on the page. Null for a page that is not there. */
  measurePage(index: number): [number, number] | null
  /** How many texts, paths, pictures and so on the page draws. Null when it cannot be opened. */
  countPageObjects(index: number): number | null
  /** Draws what lies on these pages without a picture of its own, as a viewer does: marks and fields get their appearance. */
  drawAnnotations(pages: Iterable<number>): void
  /** The same document written anew: one revision, one table, nothing deleted left. Null when PDFium cannot, or past `maxBytes`. */
  save(maxBytes: number): Uint8Array | null
  /** What can be selected on the page in a reader, up to so many characters, as it stands in the file. Null when it cannot be opened. */
  readText(index: number, maxCharacters: number): string | null
  /** The table of contents that readers show beside the pages, up to so many entries. */
  readOutline(maxHeadings: number): Heading[]
  /** From the page as it is in memory. */
  removeAnnotations(index: number, kinds: readonly Removable[]): void
  /** Takes fields off a page by what was typed or chosen in them. @returns how many */
  removeFields(index: number, isUnwanted: (value: string) => boolean): number
  /** Null when it cannot be opened. */
  placePage(index: number): PagePlace | null
  /** The letters drawn on the page and where they stand, in reading order. Null when it cannot be opened. */
  readCharacters(index: number): Character[] | null
  /**
   * All that a reader shows of the page, what is filled in in forms included, on white: red, green, blue and a byte
   * without meaning for each pixel. Null when it cannot be opened.
   */
  renderPage(index: number, rendering: Rendering): Uint8Array | null
  /** The same, so wide, and so high as the page's form asks for. */
  renderImage(index: number, size: ImageSize): PageImage | null
  /** Gives its memory back. */
  close(): void
}

/** Opens a file as Chrome would, without a password. Throws when PDFium gives up: then nothing is known of the file. */
export type Pdfium = { open(bytes: Uint8Array): PdfiumDocument | 'locked' | 'unreadable' }

/**
 * A PDFium of one's own, with an empty memory.
 * @param maxHeapBytes what its memory may grow to.
 */
export async function createPdfium(maxHeapBytes: number): Promise<Pdfium> {
  const { exports, limitHeap } = await startPdfium()
  limitHeap(maxHeapBytes)
  return { open: (bytes) => openDocument(exports, bytes) }
}

/** As it was when it was started. */
let resting: StartedPdfium | null = null
/** Whether the next `withPdfium` has one that was put back. */
export const isPdfiumReady = () => resting !== null

/**
 * Lends a PDFium for one file from outside: what a hostile file does to it must not reach the next one. Afterwards it is put back
 * as it was, to the byte; where that cannot be, or `work` fails, there is another for the next file.
 * @param maxHeapBytes what its memory may grow to.
 * @param work keeps nothing of it when it is over.
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
  if (pdfium.putBack()) resting = pdfium
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
    // Below zero where the file says so: such a page it does not turn.
    return { box: [left, bottom, right, top], quarterTurns: Math.max(0, pdfium.FPDFPage_GetRotation(page)) }
  })

/** Opening a page with a form around it is what makes PDFium draw. */
function drawAnnotations(pdfium: PdfiumExports, form: Form, document: number, pages: Iterable<number>): void {
  for (const index of pages) {
    withPage(pdfium, document, index, (page) => {
      pdfium.FORM_OnAfterLoadPage(page, form.handle())
      pdfium.FORM_OnBeforeClosePage(page, form.handle())
    })
  }
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

/**
 * The header must open the file; only blanks or a byte order mark may stand before it. Readers tolerate any 1,024
 * bytes there, and that is the room in which a file can be a web page, a script or an archive as well as a PDF.
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  return /^(\xef\xbb\xbf)?[ \t\r\n]*%PDF-/.test(start)
}
