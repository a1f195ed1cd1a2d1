import { latin1 } from '../syntax/lexer.ts'
import { PdfRejectedError } from '../syntax/values.ts'

const headerSize = 128
/** The tags that define colours (ICC.1:2022, 9.2). */
// biome-ignore format: a list of words
const colourTags = new Set([
  'A2B0', 'A2B1', 'A2B2', 'A2B3', 'B2A0', 'B2A1', 'B2A2', 'B2A3', 'D2B0', 'D2B1', 'D2B2', 'D2B3', 'B2D0', 'B2D1', 'B2D2',
  'B2D3', 'bTRC', 'bXYZ', 'bkpt', 'chad', 'chrm', 'cicp', 'gTRC', 'gXYZ', 'gamt', 'kTRC', 'lumi', 'rTRC', 'rXYZ', 'wtpt',
])
/** The types of their data. */
// biome-ignore format: a list of words
const colourTypes = new Set([
  'XYZ ', 'chrm', 'cicp', 'curv', 'mAB ', 'mBA ', 'mft1', 'mft2', 'mpet', 'para', 'sf32',
])
/** Each of these tags is one point: type, reserved bytes and three numbers. */
const points = new Set(['bXYZ', 'bkpt', 'gXYZ', 'lumi', 'rXYZ', 'wtpt'])
const pointSize = 20

/**
 * Keeps only the colour data of a profile. A monitor's profile contains the model, serial number and date of one
 * machine, so description, copyright, manufacturer and dates are replaced by fixed values.
 */
export function cleanIccProfile(data: Uint8Array): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length < headerSize + 4 || latin1(data, 36, 40) !== 'acsp')
    throw new PdfRejectedError('not a colour profile')
  const count = view.getUint32(headerSize)
  if (count > 100 || headerSize + 4 + count * 12 > data.length) throw new PdfRejectedError('damaged colour profile')
  const isV4 = (data[8] ?? 0) >= 4
  const tags: { name: string; bytes: Uint8Array }[] = [
    { name: 'desc', bytes: isV4 ? formatMultiText('Colour') : formatDescription('Colour') },
    { name: 'cprt', bytes: isV4 ? formatMultiText('None') : Buffer.from('text\0\0\0\0None\0', 'latin1') },
  ]
  const names = new Set<string>()
  const shared = new Map<string, Uint8Array>()
  let total = 0
  for (let tag = 0; tag < count; tag++) {
    const entry = headerSize + 4 + tag * 12
    const name = latin1(data, entry, entry + 4)
    const offset = view.getUint32(entry + 4)
    const size = Math.min(view.getUint32(entry + 8), points.has(name) ? pointSize : data.length)
    if (!colourTags.has(name)) continue
    const isInside = offset >= headerSize + 4 + count * 12 && offset + size <= data.length
    if (names.has(name) || !isInside || !colourTypes.has(latin1(data, offset, offset + 4)))
      throw new PdfRejectedError('damaged colour profile')
    names.add(name)
    const range = `${offset} ${size}`
    const bytes = shared.get(range) ?? data.subarray(offset, offset + size)
    if (!shared.has(range)) total += size
    shared.set(range, bytes)
    tags.push({ name, bytes })
  }
  // Ranges may overlap, but a small profile must not become a large one.
  if (total > 2 * data.length) throw new PdfRejectedError('damaged colour profile')
  return layOut(cleanHeader(data), tags)
}

/** Keeps the fields that a colour engine reads: version, class, spaces, intent and illuminant. */
function cleanHeader(data: Uint8Array): Uint8Array {
  const header = new Uint8Array(headerSize)
  const keep = (from: number, to: number) => header.set(data.subarray(from, to), from)
  keep(8, 24)
  header.set([0x07, 0xd0, 0, 1, 0, 1], 24) // 1 January 2000
  keep(36, 40)
  keep(64, 80)
  return header
}

function layOut(header: Uint8Array, tags: { name: string; bytes: Uint8Array }[]): Uint8Array {
  const offsets = new Map<Uint8Array, number>()
  let size = headerSize + 4 + tags.length * 12
  for (const { bytes } of tags) {
    if (offsets.has(bytes)) continue
    offsets.set(bytes, size)
    size += Math.ceil(bytes.length / 4) * 4
  }
  const out = new Uint8Array(size)
  const view = new DataView(out.buffer)
  out.set(header)
  view.setUint32(0, size)
  view.setUint32(headerSize, tags.length)
  for (const [at, { name, bytes }] of tags.entries()) {
    const entry = headerSize + 4 + at * 12
    const offset = offsets.get(bytes) ?? 0
    out.set(Buffer.from(name, 'latin1'), entry)
    view.setUint32(entry + 4, offset)
    view.setUint32(entry + 8, bytes.length)
    out.set(bytes, offset)
  }
  return out
}

/** A `textDescriptionType` of version 2 profiles, with empty Unicode and Macintosh parts. */
function formatDescription(text: string): Uint8Array {
  const out = new Uint8Array(12 + text.length + 1 + 8 + 3 + 67)
  out.set(Buffer.from('desc', 'latin1'))
  new DataView(out.buffer).setUint32(8, text.length + 1)
  out.set(Buffer.from(text, 'latin1'), 12)
  return out
}

/** A `multiLocalizedUnicodeType` of version 4 profiles. */
function formatMultiText(text: string): Uint8Array {
  const out = new Uint8Array(28 + text.length * 2)
  const view = new DataView(out.buffer)
  out.set(Buffer.from('mluc', 'latin1'))
  view.setUint32(8, 1)
  view.setUint32(12, 12)
  out.set(Buffer.from('enUS', 'latin1'), 16)
  view.setUint32(20, text.length * 2)
  view.setUint32(24, 28)
  for (let at = 0; at < text.length; at++) view.setUint16(28 + at * 2, text.charCodeAt(at))
  return out
}
