const [exportSection, globalSection] = [7, 6]
const globalKind = 3
const headerBytes = 8
/** WebAssembly opcodes: the first two begin the constant value of a global, and `end` closes it. */
const [i32Const, i64Const, end] = [0x41, 0x42, 0x0b]

type Section = { id: number; start: number; from: number; to: number }

/**
 * Returns a WebAssembly module that also exports its global variables. They are part of an instance's state like its
 * memory, but could not be read or restored from outside. `names` are their export names.
 * @throws when the module has an unknown structure.
 */
export function exposeGlobals(wasm: Uint8Array): { wasm: Buffer<ArrayBuffer>; names: string[] } {
  const sections = readSections(wasm)
  const [globals, exports] = [globalSection, exportSection].map((wanted) => sections.find(({ id }) => id === wanted))
  if (!globals || !exports) throw new Error('The module has no globals or no exports')
  const variables = readVariables(wasm, globals)
  const names = variables.map((index) => `exposed_global_${index}`)
  const [count, from] = readNumber(wasm, exports.from)
  const added = variables.map((index, at) => {
    const name = Buffer.from(names[at] ?? '')
    return Buffer.concat([Buffer.of(...writeNumber(name.length)), name, Buffer.of(globalKind, ...writeNumber(index))])
  })
  const body = Buffer.concat([
    Buffer.of(...writeNumber(count + added.length)),
    wasm.subarray(from, exports.to),
    ...added,
  ])
  const section = Buffer.concat([Buffer.of(exportSection, ...writeNumber(body.length)), body])
  return { wasm: Buffer.concat([wasm.subarray(0, exports.start), section, wasm.subarray(exports.to)]), names }
}

function readSections(wasm: Uint8Array): Section[] {
  const sections: Section[] = []
  for (let start = headerBytes; start < wasm.length; ) {
    const [bytes, from] = readNumber(wasm, start + 1)
    sections.push({ id: wasm[start] ?? 0, start, from, to: from + bytes })
    start = from + bytes
  }
  return sections
}

/** Returns the indexes of the mutable globals. None may be imported, because imported ones would be counted first. */
function readVariables(wasm: Uint8Array, section: Section): number[] {
  const variables: number[] = []
  let [count, at] = readNumber(wasm, section.from)
  for (let index = 0; index < count; index++) {
    const [isVariable, opens] = [wasm[at + 1] === 1, wasm[at + 2] ?? 0]
    if (opens !== i32Const && opens !== i64Const) throw new Error('A global begins as no number')
    at = readNumber(wasm, at + 3)[1]
    if (wasm[at] !== end) throw new Error('A global begins as more than a number')
    at++
    if (isVariable) variables.push(index)
  }
  if (at !== section.to) throw new Error('The globals are not read to their end')
  return variables
}

/**
 * Decodes LEB128.
 * @returns the number and the position after it.
 */
function readNumber(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let at = from, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, at + 1]
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)]
}
