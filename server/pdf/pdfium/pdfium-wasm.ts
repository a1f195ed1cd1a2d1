import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumModule } from '@hyzyla/pdfium'

/** The functions of PDFium's C interface (fpdfview.h, fpdf_save.h) used here. Pointers and handles are numbers. */
export type PdfiumExports = {
  memory: WebAssembly.Memory
  __indirect_function_table: WebAssembly.Table
  malloc(size: number): number
  free(pointer: number): void
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

const wasm = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/dist/pdfium.wasm'))))

/**
 * Starts a PDFium with an empty memory of its own (5 ms). It reaches no files and no network: the file system it sees
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
  const options = { instantiateWasm, print: silent, printErr: silent }
  const module = await PDFiumModule(options as unknown as Parameters<typeof PDFiumModule>[0])
  // The library is set up by its C name without arguments: the defaults are what a viewer uses.
  ;(module as unknown as { _FPDF_InitLibrary(): void })._FPDF_InitLibrary()
  if (!exports) throw new Error('PDFium did not start')
  return exports
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

/** The part of the function table that C calls a null pointer, and that no function of PDFium takes. */
const freeSlot = 0

/**
 * Lets PDFium call `f` for as long as `work` runs. It calls back through its function table, which cannot grow.
 * @param work is given the function's pointer.
 */
export function withCallback<T>(pdfium: PdfiumExports, f: WriteBlock, work: (pointer: number) => T): T {
  pdfium.__indirect_function_table.set(freeSlot, toWasmFunction(f))
  try {
    return work(freeSlot)
  } finally {
    pdfium.__indirect_function_table.set(freeSlot, null)
  }
}

/** `FPDF_FILEWRITE.WriteBlock`: the writer, where the bytes are, how many; 1 for success. */
type WriteBlock = (writer: number, data: number, size: number) => number

/** Only WebAssembly functions fit the table: a module of one import, exported again, with the type (i32, i32, i32) -> i32. */
function toWasmFunction(f: WriteBlock): unknown {
  const i32 = 0x7f
  const type = [1, 8, 1, 0x60, 3, i32, i32, i32, 1, i32]
  const importSection = [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0]
  const exportSection = [7, 5, 1, 1, 0x66, 0, 0]
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  const module = new WebAssembly.Module(Uint8Array.from([...header, ...type, ...importSection, ...exportSection]))
  return new WebAssembly.Instance(module, { e: { f } }).exports.f
}
