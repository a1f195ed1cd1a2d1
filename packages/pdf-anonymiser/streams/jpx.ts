import { latin1 } from '../syntax/lexer.ts'
import { PdfRejectedError } from '../syntax/values.ts'
import { cleanIccProfile } from './icc.ts'

const signature = 'jP  '
const headerParts = new Set(['ihdr', 'bpcc', 'colr', 'pclr', 'cmap', 'cdef'])

type Box = { name: string; body: Uint8Array }

/**
 * Removes XML, UUID, resolution and rights boxes from a JPEG 2000 image, and blanks the comments in its code stream. A
 * bare code stream, which readers also accept, is cleaned in the same way.
 */
export function cleanJpx(data: Uint8Array): Uint8Array {
  if (data[0] === 0xff && data[1] === 0x4f) return cleanCodeStream(data)
  const boxes = readBoxes(data)
  if (boxes[0]?.name !== signature) throw new PdfRejectedError('not a JPEG 2000 picture')
  const picture = boxes.findIndex((box) => box.name === 'jp2c')
  if (picture < 0) throw new PdfRejectedError('a JPEG 2000 file without a picture')
  // Readers stop at the first picture.
  const kept = boxes.slice(0, picture + 1).flatMap((box) => cleanBox(box) ?? [])
  return Buffer.concat(kept.map(formatBox))
}

function cleanBox({ name, body }: Box): Box | null {
  if (name === signature) return { name, body: body.subarray(0, 4) }
  if (name === 'ftyp') return { name, body: Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1') }
  if (name === 'jp2c') return { name, body: cleanCodeStream(body) }
  if (name !== 'jp2h') return null
  const parts = readBoxes(body).filter((part) => headerParts.has(part.name))
  const kept = parts.flatMap((part) => (part.name === 'colr' ? (cleanColour(part) ?? []) : part))
  const hasColour = (boxes: Box[]) => boxes.some((part) => part.name === 'colr')
  if (hasColour(parts) && !hasColour(kept)) throw new PdfRejectedError('unknown colours of a JPEG 2000 picture')
  return { name, body: Buffer.concat(kept.map(formatBox)) }
}

const enumeratedSize = 7
/** This colour space has seven parameters. */
const cieLab = 14
const cieLabSize = 35

/** A colour specification is the number of a space (method 1), a whole profile (2 and 3), or a program's own. */
function cleanColour(box: Box): Box | null {
  const method = box.body[0]
  if (method === 1) {
    const isLab = Buffer.from(box.body.subarray(3, enumeratedSize)).equals(Uint8Array.of(0, 0, 0, cieLab))
    return { name: box.name, body: box.body.subarray(0, isLab ? cieLabSize : enumeratedSize) }
  }
  if (method !== 2 && method !== 3) return null
  return { name: box.name, body: Buffer.concat([box.body.subarray(0, 3), cleanIccProfile(box.body.subarray(3))]) }
}

function readBoxes(data: Uint8Array): Box[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= data.length; ) {
    const length = view.getUint32(at)
    const name = latin1(data, at + 4, at + 8)
    const end = length === 0 ? data.length : at + length
    if (length === 1 || (length !== 0 && length < 8) || end > data.length)
      throw new PdfRejectedError('damaged JPEG 2000 file')
    boxes.push({ name, body: data.subarray(at + 8, end) })
    at = end
  }
  return boxes
}

function formatBox({ name, body }: Box): Uint8Array {
  const box = new Uint8Array(8 + body.length)
  new DataView(box.buffer).setUint32(0, box.length)
  box.set(Buffer.from(name, 'latin1'), 4)
  box.set(body, 8)
  return box
}

const startOfTile = 0x90
const startOfPacket = 0x91
const endOfPacketHeader = 0x92
const startOfData = 0x93
const endOfCodeStream = 0xd9
const comment = 0x64

/** Marker segments that decoding needs (ISO 15444-1, annex A), without comments and those of extensions. */
// biome-ignore format: a list of numbers
const drawing = new Set([0x51, 0x52, 0x53, 0x55, 0x57, 0x58, 0x5c, 0x5d, 0x5e, 0x5f, 0x60, 0x61, 0x63, startOfTile])

/** Other segments are overwritten in place, because headers contain the lengths of the following parts. */
function cleanCodeStream(source: Uint8Array): Uint8Array {
  const data = new Uint8Array(source)
  const view = new DataView(data.buffer)
  let at = 2
  let tileEnd = 0
  while (at + 2 <= data.length) {
    if (data[at] !== 0xff) throw new PdfRejectedError('damaged JPEG 2000 picture')
    const marker = data[at + 1] ?? 0
    if (marker === endOfCodeStream) return data.subarray(0, at + 2)
    if (marker === startOfData) {
      if (tileEnd <= at) throw new PdfRejectedError('damaged JPEG 2000 picture')
      const end = findDataEnd(data, at + 2, tileEnd)
      if (end < tileEnd && data[end + 1] !== endOfCodeStream) throw new PdfRejectedError('damaged JPEG 2000 picture')
      at = end
      continue
    }
    if (at + 4 > data.length) break
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > data.length) throw new PdfRejectedError('damaged JPEG 2000 picture')
    if (marker === startOfTile && length === 10) {
      const tileLength = view.getUint32(at + 6)
      // The last tile can leave its length open, and readers show the existing part of a truncated picture.
      tileEnd = tileLength === 0 ? data.length : Math.min(at + tileLength, data.length)
    }
    if (!drawing.has(marker)) data.fill(0x20, at + (marker === comment ? 6 : 4), at + 2 + length)
    at += 2 + length
  }
  return data
}

/** Returns the position of the next marker: in coded data, only two others follow the byte 255. */
function findDataEnd(data: Uint8Array, from: number, to: number): number {
  for (let at = data.indexOf(0xff, from); at >= 0 && at + 1 < to; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1] ?? 0
    if (next >= 0x90 && next !== startOfPacket && next !== endOfPacketHeader) return at
  }
  return to
}
