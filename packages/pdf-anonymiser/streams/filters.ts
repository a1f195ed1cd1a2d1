import { type Entries, number } from '../rules/basic.ts'
import type { Copier } from '../rules/copier.ts'
import {
  type PdfDict,
  PdfLimitError,
  PdfName,
  PdfRejectedError,
  type PdfStream,
  type PdfValue,
} from '../syntax/values.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii.ts'
import { inflate } from './flate.ts'
import { decodeLzw } from './lzw.ts'

export type Filter = { name: string; parameters: PdfDict }

/** Filters that compress or encode bytes, as opposed to those that encode images. */
export const packing = new Set(['FlateDecode', 'LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode'])

/** The parameters of the row predictor, which do not affect the compression itself. */
export const predictor: Entries = { Predictor: number, Colors: number, BitsPerComponent: number, Columns: number }

/** Files use one or two. Many streams can share a list, so a long one would be read for each. */
const maxFilters = 8

/** Returns the filters of a stream in the order of decoding. */
export function readFilters({ dict }: PdfStream, copy: Copier): Filter[] {
  if (dict.has('F')) throw new PdfRejectedError('data in another file')
  const names = toList(copy.source.resolve(dict.get('Filter')))
  if (names.length > maxFilters) throw new PdfRejectedError('too many filters')
  const parameters = toList(copy.source.resolve(dict.get('DecodeParms')))
  return names.map((item, at) => {
    const name = copy.source.resolve(item)
    const entries = copy.source.resolve(parameters[at])
    if (!(name instanceof PdfName)) throw new PdfRejectedError('unnamed filter')
    return { name: name.text, parameters: entries instanceof Map ? entries : new Map() }
  })
}

/** Decodes one filter. Throws `PdfRejectedError` beyond the budget, for an image filter and for invalid data. */
export async function unpack(filter: Filter, data: Uint8Array, budget: Budget): Promise<Uint8Array> {
  const unpacked = await undo(filter, data, budget.room)
  budget.spend(unpacked.length)
  return unpacked
}

async function undo({ name, parameters }: Filter, data: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if ((parameters.get('Predictor') ?? 1) !== 1) throw new PdfRejectedError('rows prepared where none are expected')
  if (name === 'FlateDecode') return inflate(data, maxBytes)
  if (name === 'LZWDecode') return decodeLzw(data, parameters.get('EarlyChange') === 0 ? 0 : 1, maxBytes)
  if (name === 'ASCII85Decode') return decodeAscii85(data)
  if (name === 'ASCIIHexDecode') return decodeAsciiHex(data)
  if (name === 'RunLengthDecode') return decodeRunLength(data, maxBytes)
  throw new PdfRejectedError('unexpected filter')
}

export async function unpackAll(source: PdfStream, copy: Copier, budget: Budget): Promise<Uint8Array> {
  let data = source.data
  for (const filter of readFilters(source, copy)) data = await unpack(filter, data, budget)
  return data
}

const toList = (value: PdfValue) => (Array.isArray(value) ? value : value === null ? [] : [value])

/**
 * The number of bytes that may still be decompressed. The output of every filter counts, even if another filter
 * follows.
 */
export class Budget {
  private left: number
  private readonly maxPerStep: number

  constructor(maxBytes: number, maxPerStep = maxBytes) {
    this.left = maxBytes
    this.maxPerStep = maxPerStep
  }

  /** The maximum output of the next filter. */
  get room(): number {
    return Math.min(this.left, this.maxPerStep)
  }

  spend(bytes: number): void {
    this.left -= bytes
    if (this.left < 0) throw new PdfLimitError('too much to unpack')
  }
}
