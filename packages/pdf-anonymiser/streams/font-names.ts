import { containsName, type NameMatcher } from '../rules/names.ts'

/** Names in a font program are overwritten with the same length, so that all offsets stay valid. */
const filler = 'x'.charCodeAt(0)

const maxHeadBytes = 64 * 1024

/** Blanks the strings in the clear-text part: name, notices and comments. */
export function blankType1Names(data: Uint8Array): Uint8Array {
  const bytes = Buffer.from(data)
  const end = Math.min(Math.max(0, bytes.indexOf('eexec')), maxHeadBytes)
  const blank = (text: string) => text.replace(/[^\r\n]/g, 'x')
  const head = bytes
    .toString('latin1', 0, end)
    .replace(/(%!(?:PS-AdobeFont-1\.\d|FontType1(?:-1\.\d)?)?)([^\r\n]*)/, (_, mark, rest) => mark + blank(rest))
    .replace(/([\r\n]%)([^\r\n]*)/g, (_, mark, rest) => mark + blank(rest))
    .replace(/\(((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*)\)/g, (_, text) => `(${'x'.repeat(text.length)})`)
    .replace(/(\/FontName\s*\/)([^\s()<>[\]{}/%]+)/g, (_, key, name) => key + blank(name))
  bytes.write(head, 0, 'latin1')
  return bytes
}

/** Blanks the font's name and each string that contains a name; readers find such a glyph by its number. */
export function blankCffNames(data: Uint8Array, names: NameMatcher): Uint8Array {
  const bytes = Buffer.from(data)
  const fontNames = readIndex(bytes, bytes[2] ?? 0)
  for (const { start, end } of fontNames.items) bytes.fill(filler, start, end)
  const strings = readIndex(bytes, readIndex(bytes, fontNames.end).end)
  for (const { start, end } of strings.items) {
    if (containsName(bytes.toString('latin1', start, end), names)) bytes.fill(filler, start, end)
  }
  return bytes
}

/** Returns the positions of the items of a CFF INDEX; none if it is damaged. */
function readIndex(bytes: Buffer, at: number): { items: { start: number; end: number }[]; end: number } {
  const count = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0
  if (count === 0) return { items: [], end: at + 2 }
  const size = bytes[at + 2] ?? 0
  const base = at + 2 + (count + 1) * size
  if (size < 1 || size > 4 || base >= bytes.length) return { items: [], end: bytes.length }
  const offsets = Array.from({ length: count + 1 }, (_, n) => base + bytes.readUIntBE(at + 3 + n * size, size))
  const items = offsets.slice(1).map((end, n) => ({ start: offsets[n] ?? 0, end }))
  const isSound = items.every(({ start, end }) => start <= end && end <= bytes.length)
  return { items: isSound ? items : [], end: offsets.at(-1) ?? bytes.length }
}

const postHeaderSize = 32

/** Blanks the glyph names, each of which follows its length, in a `post` table of version 2. */
export function blankPostNames(data: Uint8Array, names: NameMatcher): Uint8Array {
  const bytes = Buffer.from(data)
  if (bytes.length < postHeaderSize + 2 || bytes.readUInt32BE(0) !== 0x20000) return data
  for (let at = postHeaderSize + 2 + 2 * bytes.readUInt16BE(postHeaderSize); at < bytes.length; ) {
    const end = at + 1 + (bytes[at] ?? 0)
    if (containsName(bytes.toString('latin1', at + 1, end), names))
      bytes.fill(filler, at + 1, Math.min(end, bytes.length))
    at = end
  }
  return bytes
}
