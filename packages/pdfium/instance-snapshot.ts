/** The whole mutable state of a WebAssembly instance. */
export type InstanceParts = {
  memory: WebAssembly.Memory
  globals: WebAssembly.Global[]
  table: WebAssembly.Table
}

/** @returns whether the instance was restored. */
export type RestoreSnapshot = () => boolean

/**
 * Copies an instance's memory, variables and function table so that they can be restored. Nothing is restored if the
 * memory has grown, because it cannot shrink, or if the table was changed, because that was deliberate.
 */
export function takeSnapshot({ memory, globals, table }: InstanceParts): RestoreSnapshot {
  const bytes = memory.buffer.byteLength
  const used = lastUsed(new Uint8Array(memory.buffer))
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

/** Returns the position after which there are only zeros. */
function lastUsed(memory: Uint8Array): number {
  let end = memory.length
  while (end > 0 && memory[end - 1] === 0) end--
  return end
}
