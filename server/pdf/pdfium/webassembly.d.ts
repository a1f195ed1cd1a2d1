/** What `pdfium-wasm.ts` uses of WebAssembly: the types of Node leave it to those of the browser, which servers do without. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: Record<string, unknown>
    constructor(module: Module, imports: Imports)
  }
  class Memory {
    private constructor()
    readonly buffer: ArrayBuffer
  }
  type Exports = Record<string, unknown>
  type Imports = Record<string, Record<string, unknown>>
}
