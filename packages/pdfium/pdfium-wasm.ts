import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Functions, init } from '@embedpdf/pdfium'
import { exposeGlobals } from './expose-globals.ts'

type Numbers<Types extends readonly unknown[]> = { -readonly [At in keyof Types]: number }
/** PDFium's C functions (fpdfview.h and others). Pointers, handles, texts and truth values are numbers. */
type CFunctions = { [Name in keyof Functions]: (...given: Numbers<Functions[Name][0]>) => number }

export type PdfiumExports = CFunctions & {
  memory: WebAssembly.Memory
  __indirect_function_table: WebAssembly.Table
  /** The function pointer that PDFium calls as `WriteBlock`; `withCallback` sets its target. */
  writeBlock: number
  setWriteBlock(f: WriteBlock | null): void
  malloc(size: number): number
  free(pointer: number): void
}

const exposed = exposeGlobals(readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))))
const wasm = new WebAssembly.Module(exposed.wasm)

export type StartedPdfium = {
  exports: PdfiumExports
  /** Sets the maximum memory size for further growth. */
  limitHeap(maxBytes: number): void
  /** Restores the state after the start. Returns whether that succeeded. */
  restoreSnapshot: RestoreSnapshot
}

/**
 * Starts a PDFium with its own empty memory. It cannot access files or the network: its file system is an empty
 * one in memory.
 */
export async function startPdfium(): Promise<StartedPdfium> {
  let exports: PdfiumExports | undefined
  const outside = watchOutside(() => exports?.memory)
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => {
    const instance = new WebAssembly.Instance(wasm, outside.watch(imports))
    exports = instance.exports as WebAssembly.Exports & PdfiumExports
    done(instance, wasm)
    return instance.exports
  }
  const silent = () => {}
  const { pdfium } = await init({ instantiateWasm, print: silent, printErr: silent } as Parameters<typeof init>[0])
  if (!exports) throw new Error('PDFium did not start')
  // The C initialiser without arguments sets the defaults that a viewer uses.
  exports.FPDF_InitLibrary()
  // One table entry serves all callbacks, so that the table never changes after the snapshot.
  let called: WriteBlock | null = null
  const writeBlock = pdfium.addFunction((...block: Parameters<WriteBlock>) => called?.(...block) ?? 0, 'iiii')
  const globals = exposed.names.map((name) => (exports as unknown as WebAssembly.Exports)[name] as WebAssembly.Global)
  const state = takeSnapshot({ memory: exports.memory, globals, table: exports.__indirect_function_table })
  outside.forget()
  return {
    exports: {
      ...exports,
      writeBlock,
      setWriteBlock(f) {
        called = f
      },
    },
    limitHeap: outside.limitHeap,
    restoreSnapshot: () => called === null && outside.isUntouched() && state(),
  }
}

/** These imports compute, throw, or write into PDFium's own memory, and keep no state. */
const keepNothing = [
  ...[/^invoke_/, /^emscripten_resize_heap$/, /^emscripten_date_now$/, /^_emscripten_memcpy_js$/],
  ...[/^_emscripten_throw_longjmp$/, /^_(localtime|gmtime|tzset)_js$/, /^environ_(sizes_)?get$/],
]

/**
 * Wraps all imports of PDFium. Memory grows up to a limit; beyond it the request is refused and PDFium stops with an
 * error. A successful file system call may leave state behind, so it marks the instance as touched.
 */
function watchOutside(memory: () => WebAssembly.Memory | undefined) {
  let maxBytes = Number.POSITIVE_INFINITY
  let isUntouched = true

  function watchOne(name: string, imported: unknown): unknown {
    if (typeof imported !== 'function') throw new Error('PDFium imports more than functions')
    if (name === 'emscripten_resize_heap') {
      return (wantedBytes: number) => {
        if (wantedBytes >>> 0 > maxBytes) return 0
        imported(wantedBytes)
        return (memory()?.buffer.byteLength ?? 0) >= wantedBytes >>> 0 ? 1 : 0
      }
    }
    if (keepNothing.some((known) => known.test(name))) return imported
    return (...values: unknown[]) => {
      const answer: unknown = imported(...values)
      // Failed system calls return a negative number, failed WASI calls a positive one.
      const isRefused = typeof answer === 'number' && (name.startsWith('fd_') ? answer > 0 : answer < 0)
      if (!isRefused) isUntouched = false
      return answer
    }
  }

  return {
    watch(imports: WebAssembly.Imports): WebAssembly.Imports {
      if (!imports.env?.emscripten_resize_heap) throw new Error('PDFium has another way to grow its memory')
      type Module = WebAssembly.Imports[string]
      const watchAll = (of: Module) =>
        Object.fromEntries(Object.entries(of).map(([name, imported]) => [name, watchOne(name, imported)])) as Module
      return Object.fromEntries(Object.entries(imports).map(([module, of]) => [module, watchAll(of)]))
    },
    limitHeap(bytes: number) {
      maxBytes = bytes
    },
    forget() {
      isUntouched = true
    },
    isUntouched: () => isUntouched,
  }
}

/** `FPDF_FILEWRITE.WriteBlock`: takes the writer, the address and the number of bytes; returns 1 for success. */
type WriteBlock = (writer: number, data: number, size: number) => number

/**
 * Lets PDFium call `f` for as long as `work` runs.
 * @param work receives the function pointer.
 */
export function withCallback<T>(pdfium: PdfiumExports, f: WriteBlock, work: (pointer: number) => T): T {
  pdfium.setWriteBlock(f)
  try {
    return work(pdfium.writeBlock)
  } finally {
    pdfium.setWriteBlock(null)
  }
}

/** The whole mutable state of a WebAssembly instance. */
type InstanceParts = {
  memory: WebAssembly.Memory
  globals: WebAssembly.Global[]
  table: WebAssembly.Table
}

/** @returns whether the instance was restored. */
type RestoreSnapshot = () => boolean

/**
 * Copies an instance's memory, variables and function table so that they can be restored. Nothing is restored if the
 * memory has grown, because it cannot shrink, or if the table was changed, because that was deliberate.
 */
function takeSnapshot({ memory, globals, table }: InstanceParts): RestoreSnapshot {
  const bytes = memory.buffer.byteLength
  const used = findEndOfData(memory)
  const kept = new Uint8Array(memory.buffer).slice(0, used)
  const values = globals.map(({ value }) => value)
  const functions = readTable(table)

  return () => {
    if (memory.buffer.byteLength !== bytes) return false
    if (table.length !== functions.length || functions.some((one, at) => table.get(at) !== one)) return false
    const now = new Uint8Array(memory.buffer)
    now.set(kept)
    now.fill(0, used)
    for (const [at, global] of globals.entries()) global.value = values[at] ?? 0
    return true
  }
}

const readTable = (table: WebAssembly.Table) => Array.from({ length: table.length }, (_, at) => table.get(at))

/** Returns the offset after which all bytes are zero, rounded up to four: words are read faster than bytes. */
function findEndOfData({ buffer }: WebAssembly.Memory): number {
  const words = new Uint32Array(buffer)
  let end = words.length
  while (end > 0 && words[end - 1] === 0) end--
  return 4 * end
}
