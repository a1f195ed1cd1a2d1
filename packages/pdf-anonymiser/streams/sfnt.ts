import type { NameMatcher } from '../rules/names.ts'
import { latin1 } from '../syntax/lexer.ts'
import { PdfRejectedError } from '../syntax/values.ts'
import { blankCffNames, blankPostNames } from './font-names.ts'

const headerSize = 12
const entrySize = 16
/**
 * The tables that readers need to find, shape and place glyphs. Names, signatures, dates and tables of editors are
 * excluded.
 */
// biome-ignore format: a list of words
const drawingTables = new Set([
  'CFF ', 'GSUB', 'OS/2', 'VORG', 'cmap', 'cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post', 'prep',
  'vhea', 'vmtx',
])
/** The creation and modification dates and the manufacturer of a font, which do not affect drawing. */
const blanks: Record<string, [start: number, end: number]> = { head: [20, 36], 'OS/2': [58, 62] }

const blankNames: Record<string, (table: Uint8Array, names: NameMatcher) => Uint8Array> = {
  'CFF ': blankCffNames,
  post: blankPostNames,
}

type Table = { tag: string; offset: number; length: number; bytes: Uint8Array }

/** Rewrites a TrueType or OpenType font with only the tables that draw, and without bytes between or after them. */
export function cleanSfnt(data: Uint8Array, names: NameMatcher): Uint8Array {
  const tables = readTables(data)
  const placed = tables.toSorted((one, other) => one.offset - other.offset)
  const offsets = new Map<Table, number>()
  let size = headerSize + tables.length * entrySize
  for (const [at, table] of placed.entries()) {
    // A table that extends past the end of the file must also be the last one in the copy.
    if (table.bytes.length < table.length && at < placed.length - 1) throw new PdfRejectedError('damaged font')
    offsets.set(table, size)
    size += table.bytes.length < table.length ? table.bytes.length : padded(table.bytes.length)
  }
  const out = new Uint8Array(size)
  const view = new DataView(out.buffer)
  out.set(data.subarray(0, 4))
  writeSearchHints(view, tables.length)
  for (const [at, table] of tables.entries()) {
    const offset = offsets.get(table) ?? 0
    out.set(blankNames[table.tag]?.(table.bytes, names) ?? table.bytes, offset)
    const [start, end] = blanks[table.tag] ?? [0, 0]
    out.fill(0, offset + start, offset + Math.min(end, table.bytes.length))
    const entry = headerSize + at * entrySize
    out.set(Buffer.from(table.tag, 'latin1'), entry)
    view.setUint32(entry + 4, sum(out.subarray(offset, offset + table.bytes.length)))
    view.setUint32(entry + 8, offset)
    view.setUint32(entry + 12, table.length)
  }
  return out
}

function readTables(data: Uint8Array): Table[] {
  if (data.length < headerSize) throw new PdfRejectedError('damaged font')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const count = view.getUint16(4)
  if (headerSize + count * entrySize > data.length) throw new PdfRejectedError('damaged font')
  const tables = new Map<string, Table>()
  let total = 0
  for (let at = 0; at < count; at++) {
    const entry = headerSize + at * entrySize
    const tag = latin1(data, entry, entry + 4)
    if (!drawingTables.has(tag)) continue
    const offset = view.getUint32(entry + 8)
    const length = view.getUint32(entry + 12)
    const bytes = data.subarray(offset, offset + length)
    if (tables.has(tag) || (length > 0 && bytes.length === 0)) throw new PdfRejectedError('damaged font')
    total += bytes.length
    tables.set(tag, { tag, offset, length, bytes })
  }
  // Tables may share bytes, but a small font must not become a large one.
  if (total > 2 * data.length) throw new PdfRejectedError('damaged font')
  return [...tables.values()]
}

/** Writes the values from which readers start a binary search of the table directory. */
function writeSearchHints(view: DataView, count: number): void {
  const power = count > 0 ? Math.floor(Math.log2(count)) : 0
  view.setUint16(4, count)
  view.setUint16(6, 2 ** power * entrySize)
  view.setUint16(8, power)
  view.setUint16(10, (count - 2 ** power) * entrySize)
}

const padded = (length: number) => Math.ceil(length / 4) * 4

function sum(bytes: Uint8Array): number {
  let total = 0
  for (let at = 0; at < bytes.length; at += 4) {
    const word =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    total = (total + word) >>> 0
  }
  return total
}
