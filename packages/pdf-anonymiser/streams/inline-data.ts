import { constants, deflateSync, inflateSync } from 'node:zlib'
import { countComponents, measurePrepared, measureRows } from '../rules/sizes.ts'
import { type PdfDict, PdfName, PdfRejectedError } from '../syntax/values.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii.ts'
import type { Budget } from './filters.ts'
import { cleanFaxPicture, rewriteFaxParameters } from './image-filters.ts'
import { cleanJpeg } from './jpeg.ts'
import { decodeLzw } from './lzw.ts'

const maxUnpackedBytes = 16 * 1024 * 1024

const longNames: Record<string, string> = {
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
}

const unpackings = new Map<string, (data: Uint8Array, parameters: PdfDict) => Uint8Array>([
  ['ASCII85Decode', decodeAscii85],
  ['ASCIIHexDecode', decodeAsciiHex],
  ['RunLengthDecode', (data) => decodeRunLength(data, maxUnpackedBytes)],
  ['LZWDecode', (data, entries) => decodeLzw(data, entries.get('EarlyChange') === 0 ? 0 : 1, maxUnpackedBytes)],
  ['FlateDecode', inflateInline],
])

/** Returns the long filter names, whichever form the image uses. */
export function readFilters(entries: PdfDict): string[] {
  const filter = entries.get('F') ?? []
  const list = Array.isArray(filter) ? filter : [filter]
  return list.map((item) => {
    if (!(item instanceof PdfName)) throw new PdfRejectedError('damaged inline image')
    const name = longNames[item.text] ?? item.text
    if (!Object.values(longNames).includes(name)) throw new PdfRejectedError('unknown filter')
    return name
  })
}

/** Returns the size of the image's rows in bytes; undefined when it depends on the page's resources. */
export function measureInline(entries: PdfDict): number | undefined {
  const isMask = entries.get('IM') === true
  const perPixel = isMask ? 1 : countComponents(entries.get('CS'))
  const bits = isMask ? 1 : (entries.get('BPC') ?? null)
  return perPixel && measureRows(entries.get('W') ?? null, entries.get('H') ?? null, perPixel, bits)
}

/**
 * Returns the image's data without anything after its rows. It can change the entries: recompressed data is deflated
 * and written in hexadecimal, so that no reader mistakes a part of it for the end of the image.
 */
export function cleanInlineData(data: Uint8Array, entries: PdfDict, filters: string[], budget: Budget): Uint8Array {
  const last = filters.at(-1)
  if (last === 'DCTDecode') {
    if (filters.length > 1) throw new PdfRejectedError('packed JPEG in a page description')
    return cleanJpeg(data)
  }
  if (last === 'CCITTFaxDecode') return cleanInlineFax(data, entries, filters, budget)
  if (last === undefined || !unpackings.has(last)) return data
  const parameters = readParameters(entries, filters.length - 1)
  const unpacked = filters.reduce((packed, filter) => unpack(filter, packed, parameters, budget), data)
  const maxBytes = measurePrepared(measureInline(entries) ?? Number.POSITIVE_INFINITY, parameters)
  const isExact = last.startsWith('ASCII') || last === 'FlateDecode'
  if (filters.length === 1 && isExact && unpacked.length <= maxBytes) return data
  entries.delete('DP')
  entries.set('F', [new PdfName('AHx'), new PdfName('Fl')])
  if (parameters.size > 0) entries.set('DP', [null, parameters])
  return Buffer.from(`${deflateSync(unpacked.subarray(0, maxBytes)).toString('hex')}>`)
}

function cleanInlineFax(data: Uint8Array, entries: PdfDict, filters: string[], budget: Budget): Uint8Array {
  const parameters = readParameters(entries, filters.length - 1)
  const packed = filters.slice(0, -1).reduce((bytes, filter) => unpack(filter, bytes, new Map(), budget), data)
  const side = (key: string) => Number(entries.get(key) ?? 0)
  const cleaned = cleanFaxPicture(packed, parameters, side('W'), side('H'))
  entries.set('F', [new PdfName('AHx'), new PdfName('CCF')])
  entries.set('DP', [null, rewriteFaxParameters(parameters)])
  return Buffer.from(`${Buffer.from(cleaned).toString('hex')}>`)
}

function unpack(filter: string, data: Uint8Array, parameters: PdfDict, budget: Budget): Uint8Array {
  const undo = unpackings.get(filter)
  if (!undo) throw new PdfRejectedError('unexpected filter')
  const unpacked = undo(data, parameters)
  budget.spend(unpacked.length)
  return unpacked
}

function inflateInline(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: maxUnpackedBytes, finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    throw new PdfRejectedError('damaged inline image')
  }
}

/** Returns the parameters of the filter at this index. */
function readParameters(entries: PdfDict, at: number): PdfDict {
  const given = entries.get('DP')
  const parameters = Array.isArray(given) ? given[at] : given
  return parameters instanceof Map ? parameters : new Map()
}
