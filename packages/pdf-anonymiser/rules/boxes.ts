import { inflate } from '../streams/flate.ts'
import { latin1 } from '../syntax/lexer.ts'
import { arrayOf, shorten } from './basic.ts'
import type { BoxNumbers, Rule } from './copier.ts'

export const boxNumber: Rule = (value, copy) =>
  typeof value === 'number' ? (copy.boxNumbers.get(Math.fround(value)) ?? shorten(value)) : undefined
export const boxNumbers = arrayOf(boxNumber)

const box = /^(?:Box[\s\0]*\[([^\]]*)\]|UserUnit([^/>]*))/
const numeral = /[+-]?(?:\d{1,10}(?:\.\d{0,20})?|\.\d{1,20})(?![\d.])/g

/** The limit for the words that are found; a large file with a figure in every paragraph has fewer. */
const maxPlaces = 200_000
/** Each attempt to decompress something counts as so many bytes, because it takes time even if it fails. */
const minBytes = 64 * 1024

type Places = { left: number }

/**
 * Reads the numbers of all page boxes in the original file, with all their digits. It searches the bytes instead of
 * parsing them, object streams included. A missed or wrong match is harmless, because only equal numbers are replaced.
 * @param maxBytes the limit for decompressed object streams.
 */
export async function readBoxNumbers(file: Uint8Array, maxBytes: number): Promise<BoxNumbers> {
  const numbers = new Map<number, number>()
  const places = { left: maxPlaces }
  collect(file, numbers, places)
  let left = maxBytes
  for (const at of findAll(file, '/ObjStm', places)) {
    const start = /^[\s\S]{0,300}?stream\r?\n/.exec(latin1(file, at, at + 400))
    if (!start || left <= 0) continue
    const group = await inflate(file.subarray(at + start[0].length), left).catch(() => null)
    left -= Math.max(minBytes, group?.length ?? left)
    if (group) collect(group, numbers, places)
  }
  return numbers
}

function collect(bytes: Uint8Array, numbers: Map<number, number>, places: Places): void {
  for (const word of ['Box', 'UserUnit']) {
    for (const at of findAll(bytes, word, places)) {
      const [, list, unit] = box.exec(latin1(bytes, at, at + 400)) ?? []
      for (const [text] of (list ?? unit ?? '').matchAll(numeral)) numbers.set(Math.fround(Number(text)), Number(text))
    }
  }
}

function* findAll(bytes: Uint8Array, word: string, places: Places): Iterable<number> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = buffer.indexOf(word); at >= 0 && places.left-- > 0; at = buffer.indexOf(word, at + 1)) yield at
}
