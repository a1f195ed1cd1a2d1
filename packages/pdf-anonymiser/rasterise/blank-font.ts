/**
 * Makes a TrueType font whose glyphs are all blank. Without an embedded font for the invisible text readers substitute
 * one of their own, and some complain. The PDF defines the glyph widths.
 */
export function makeBlankFont(letters: number): Buffer {
  const tables: [string, Buffer][] = [
    ['cmap', words(0, 1, 3, 0, 0, 12, 4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0)],
    ['glyf', Buffer.alloc(4)],
    ['head', makeHead()],
    ['hhea', words(1, 0, 800, -200, 0, unitsPerEm, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)],
    ['hmtx', words(unitsPerEm, 0, ...new Array<number>(letters - 1).fill(0))],
    ['loca', words(...new Array<number>(letters + 1).fill(0))],
    ['maxp', words(1, 0, letters, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ]
  const parts: Buffer[] = [words(1, 0, tables.length, 64, 2, tables.length * 16 - 64)]
  let offset = 12 + 16 * tables.length
  for (const [tag, bytes] of tables) {
    const entry = Buffer.alloc(16)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(checksum(bytes), 4)
    entry.writeUInt32BE(offset, 8)
    entry.writeUInt32BE(bytes.length, 12)
    parts.push(entry)
    offset += padded(bytes).length
  }
  return Buffer.concat([...parts, ...tables.map(([, bytes]) => padded(bytes))])
}

const unitsPerEm = 1000

/** Contains no dates and no revision, only the fields that readers require. */
function makeHead(): Buffer {
  const magic = [0x5f0f, 0x3cf5]
  const dates = [0, 0, 0, 0, 0, 0, 0, 0]
  const box = [0, -200, unitsPerEm, 800]
  return words(1, 0, 1, 0, 0, 0, ...magic, 0, unitsPerEm, ...dates, ...box, 0, 8, 2, 0, 0)
}

/** Encodes each value as a big-endian 16-bit number. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function checksum(bytes: Buffer): number {
  const whole = padded(bytes)
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}
