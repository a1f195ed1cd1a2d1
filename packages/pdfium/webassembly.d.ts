/**
 * Declares the part of WebAssembly that is used here: Node's types rely on the browser's types, which servers do not
 * load.
 */
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
  class Global {
    private constructor()
    value: number | bigint
  }
  class Table {
    private constructor()
    readonly length: number
    get(index: number): unknown
    set(index: number, value: unknown): void
  }
  type Exports = Record<string, unknown>
  type Imports = Record<string, Record<string, unknown>>
}
