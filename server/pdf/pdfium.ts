import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumModule } from '@hyzyla/pdfium'
import { pdfiumMaxHeapBytes } from './limits.ts'

/** The functions of PDFium's C interface (fpdfview.h, fpdf_save.h) used here. Pointers and handles are numbers. */
type PdfiumExports = {
  memory: WebAssembly.Memory
  __indirect_function_table: WebAssembly.Table
  malloc(size: number): number
  free(pointer: number): void
  FPDF_LoadMemDocument(data: number, size: number, password: number): number
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFPage_CountObjects(page: number): number
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number
  FPDF_GetSecurityHandlerRevision(document: number): number
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number
}

const passwordError = 4
const saveWithoutHistory = 2

const wasm = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/dist/pdfium.wasm'))))

export type PdfiumDocument = {
  pageCount: number
  /** With a password or without one: some files open for everybody and are encrypted all the same. */
  isEncrypted: boolean
  /** `[width, height]` in points, without reading what is on the page. Null for a page that is not there. */
  measurePage(index: number): [number, number] | null
  /** How many texts, paths, pictures and so on the page draws. Null when it cannot be opened. */
  countPageObjects(index: number): number | null
  /** The same document written anew: one revision, one table, nothing deleted left. Null when PDFium cannot. */
  save(): Uint8Array | null
}

/**
 * Opens a PDF as Chrome would. Every file gets a PDFium of its own (5 ms), so that nothing a hostile file does to its
 * memory reaches the next one; it has no files, no network and no clock but what it is given.
 * Throws when PDFium itself gives up (out of memory, a trap): then nothing is known of the file.
 */
export async function openPdf(bytes: Uint8Array): Promise<PdfiumDocument | 'locked' | 'unreadable'> {
  const pdfium = await startPdfium()
  const data = pdfium.malloc(bytes.length)
  if (data === 0) throw new Error('PDFium is out of memory')
  new Uint8Array(pdfium.memory.buffer).set(bytes, data)
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, 0)
  if (document === 0) return pdfium.FPDF_GetLastError() === passwordError ? 'locked' : 'unreadable'
  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    isEncrypted: pdfium.FPDF_GetSecurityHandlerRevision(document) !== -1,
    measurePage: (index) => measurePage(pdfium, document, index),
    countPageObjects: (index) => countPageObjects(pdfium, document, index),
    save: () => saveDocument(pdfium, document),
  }
}

async function startPdfium(): Promise<PdfiumExports> {
  let exports: PdfiumExports | undefined
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => {
    const instance = new WebAssembly.Instance(
      wasm,
      limitHeap(imports, () => exports?.memory),
    )
    exports = instance.exports as PdfiumExports
    done(instance, wasm)
    return instance.exports
  }
  const silent = () => {}
  const options = { instantiateWasm, print: silent, printErr: silent }
  const module = await PDFiumModule(options as unknown as Parameters<typeof PDFiumModule>[0])
  // The library is set up by its C name without arguments: the defaults are what a viewer uses.
  ;(module as unknown as { _FPDF_InitLibrary(): void })._FPDF_InitLibrary()
  if (!exports) throw new Error('PDFium did not start')
  return exports
}

/** PDFium asks for more memory through one import; past the limit the answer is no, and it stops with an error. */
function limitHeap(imports: WebAssembly.Imports, memory: () => WebAssembly.Memory | undefined): WebAssembly.Imports {
  const env = imports.env
  const grow = env?.emscripten_resize_heap
  if (!env || typeof grow !== 'function') throw new Error('PDFium has another way to grow its memory')
  const growWithinLimit = (wantedBytes: number) => {
    if (wantedBytes >>> 0 > pdfiumMaxHeapBytes) return 0
    grow(wantedBytes)
    return memory() !== undefined && (memory()?.buffer.byteLength ?? 0) >= wantedBytes >>> 0 ? 1 : 0
  }
  return { ...imports, env: { ...env, emscripten_resize_heap: growWithinLimit } }
}

function measurePage(pdfium: PdfiumExports, document: number, index: number): [number, number] | null {
  const size = pdfium.malloc(8)
  if (size === 0) throw new Error('PDFium is out of memory')
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

function saveDocument(pdfium: PdfiumExports, document: number): Uint8Array | null {
  const chunks: Uint8Array[] = []
  const writeBlock = (_writer: number, data: number, size: number) => {
    chunks.push(new Uint8Array(pdfium.memory.buffer).slice(data, data + size))
    return 1
  }
  // PDFium calls its writer through the function table. The table cannot grow; its first place is always empty.
  const slot = 0
  pdfium.__indirect_function_table.set(slot, toWasmFunction(writeBlock))
  const writer = pdfium.malloc(8)
  if (writer === 0) return null
  const view = new DataView(pdfium.memory.buffer)
  view.setInt32(writer, 1, true) // FPDF_FILEWRITE.version
  view.setInt32(writer + 4, slot, true) // FPDF_FILEWRITE.WriteBlock
  const saved = pdfium.FPDF_SaveAsCopy(document, writer, saveWithoutHistory)
  pdfium.__indirect_function_table.set(slot, null)
  return saved === 1 ? join(chunks) : null
}

/** Not `Buffer.concat`: a small Buffer shares its memory with others, and `slice` of it is no copy. */
function join(chunks: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    joined.set(chunk, at)
    at += chunk.length
  }
  return joined
}

/** Only WebAssembly functions fit the table: a module of one import, exported again, with the type (i32, i32, i32) -> i32. */
function toWasmFunction(f: (a: number, b: number, c: number) => number): unknown {
  const i32 = 0x7f
  const type = [1, 8, 1, 0x60, 3, i32, i32, i32, 1, i32]
  const importSection = [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0]
  const exportSection = [7, 5, 1, 1, 0x66, 0, 0]
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const module = new WebAssembly.Module(Uint8Array.from([...header, ...type, ...importSection, ...exportSection]))
  return new WebAssembly.Instance(module, { e: { f } }).exports.f
}
