import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'

/** The functions of PDFium's C interface (fpdfview.h, fpdf_save.h) used here. Pointers and handles are numbers. */
export type PdfiumExports = {
  memory: WebAssembly.Memory
  addFunction(f: WriteBlock, signature: string): number
  removeFunction(pointer: number): void
  malloc(size: number): number
  free(pointer: number): void
  FPDF_InitLibrary(): void
  FPDF_LoadMemDocument(data: number, size: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDFPage_CountObjects(page: number): number
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number
  FPDF_GetSecurityHandlerRevision(document: number): number
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number
}

const wasm = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))))

/**
 * Starts a PDFium with an empty memory of its own. It reaches no files and no network: the file system it sees
 * is an empty one in memory.
 */
export async function startPdfium(maxHeapBytes: number): Promise<PdfiumExports> {
  let exports: PdfiumExports | undefined
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => {
    const instance = new WebAssembly.Instance(
      wasm,
      limitHeap(imports, maxHeapBytes, () => exports?.memory),
    )
    exports = instance.exports as PdfiumExports
    done(instance, wasm)
    return instance.exports
  }
  const silent = () => {}
  const { pdfium } = await init({ instantiateWasm, print: silent, printErr: silent } as Parameters<typeof init>[0])
  if (!exports) throw new Error('PDFium did not start')
  // The library is set up by its C name without arguments: the defaults are what a viewer uses.
  exports.FPDF_InitLibrary()
  return { ...exports, addFunction: pdfium.addFunction, removeFunction: pdfium.removeFunction }
}

/** PDFium asks for more memory through one import; past the limit the answer is no, and it stops with an error. */
function limitHeap(
  imports: WebAssembly.Imports,
  maxBytes: number,
  memory: () => WebAssembly.Memory | undefined,
): WebAssembly.Imports {
  const env = imports.env
  const grow = env?.emscripten_resize_heap
  if (!env || typeof grow !== 'function') throw new Error('PDFium has another way to grow its memory')
  const growWithinLimit = (wantedBytes: number) => {
    if (wantedBytes >>> 0 > maxBytes) return 0
    grow(wantedBytes)
    return memory() !== undefined && (memory()?.buffer.byteLength ?? 0) >= wantedBytes >>> 0 ? 1 : 0
  }
  return { ...imports, env: { ...env, emscripten_resize_heap: growWithinLimit } }
}

/** `FPDF_FILEWRITE.WriteBlock`: the writer, where the bytes are, how many; 1 for success. */
type WriteBlock = (writer: number, data: number, size: number) => number

/**
 * Lets PDFium call `f` for as long as `work` runs.
 * @param work is given the function's pointer.
 */
export function withCallback<T>(pdfium: PdfiumExports, f: WriteBlock, work: (pointer: number) => T): T {
  const pointer = pdfium.addFunction(f, 'iiii')
  try {
    return work(pointer)
  } finally {
    pdfium.removeFunction(pointer)
  }
}
