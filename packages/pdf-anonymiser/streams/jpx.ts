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
  const kept = boxes.flatMap((box) => cleanBox(box) ?? [])
  if (!kept.some((box) => box.name === 'jp2c')) throw new PdfRejectedError('a JPEG 2000 file without a picture')
  return Buffer.concat(kept.map(formatBox))
}

function cleanBox({ name, body }: Box): Box | null {
  if (name === signature) return { name, body: body.subarray(0, 4) }
  if (name === 'ftyp') return { name, body: Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1') }
  if (name === 'jp2c') return { name, body: cleanCodeStream(body) }
  if (name !== 'jp2h') return null
  const parts = readBoxes(body).filter((part) => headerParts.has(part.name))
  return { name, body: Buffer.concat(parts.map(cleanColour).map(formatBox)) }
}

/** A colour specification can contain a whole profile (methods 2 and 3). */
function cleanColour(box: Box): Box {
  const method = box.body[0]
  if (box.name !== 'colr' || (method !== 2 && method !== 3)) return box
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
const startOfData = 0x93
const endOfCodeStream = 0xd9
const comment = 0x64

/** Comments are overwritten in place, because headers contain the lengths of the following parts. */
function cleanCodeStream(source: Uint8Array): Uint8Array {
  const data = new Uint8Array(source)
  const view = new DataView(data.buffer)
  let at = 2
  let tileEnd = 0
  while (at + 2 <= data.length) {
    if (data[at] !== 0xff) throw new PdfRejectedError('damaged JPEG 2000 picture')
    const marker = data[at + 1]
    if (marker === endOfCodeStream) return data.subarray(0, at + 2)
    if (marker === startOfData) {
      if (tileEnd <= at) throw new PdfRejectedError('damaged JPEG 2000 picture')
      at = tileEnd
      continue
    }
    if (at + 4 > data.length) break
    const length = view.getUint16(at + 2)
    if (length < 2 || at + 2 + length > data.length) throw new PdfRejectedError('damaged JPEG 2000 picture')
    if (marker === startOfTile && length === 10) {
      const tileLength = view.getUint32(at + 6)
      // Readers show the existing part of a truncated picture.
      tileEnd = tileLength === 0 ? lastEnd(data) : Math.min(at + tileLength, data.length)
    }
    if (marker === comment) data.fill(0x20, at + 6, at + 2 + length)
    at += 2 + length
  }
  return data
}

/** Returns the end of the last tile when its header leaves the length open. */
function lastEnd(data: Uint8Array): number {
  const end = Buffer.from(data.buffer, data.byteOffset, data.length).lastIndexOf(Uint8Array.of(0xff, endOfCodeStream))
  return end < 0 ? data.length : end
}
