/** All of an instance of WebAssembly that may change: there is nothing else. */
export type InstanceParts = {
  memory: WebAssembly.Memory
  globals: WebAssembly.Global[]
  table: WebAssembly.Table
}

/** @returns whether the instance is as it was. */
export type RestoreSnapshot = () => boolean

/**
 * Keeps what an instance is like, to be put back later: its memory, its variables and its table of functions. Memory that has
 * grown does not get smaller, and a table that was changed was changed by intent: then nothing is put back.
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

/** Behind it is nothing but zeros. */
function lastUsed(memory: Uint8Array): number {
  let end = memory.length
  while (end > 0 && memory[end - 1] === 0) end--
  return end
}
