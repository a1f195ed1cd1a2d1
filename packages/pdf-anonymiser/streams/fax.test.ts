import { expect, it } from 'vitest'
import { drawing, stream } from '../../pdfium/test/build-pdf.ts'
import { renderPdf } from '../../pdfium/test/render-pdf.ts'
import { PdfRejectedError } from '../syntax/values.ts'
import { cleanFax } from './fax.ts'
import { endOfLine, modeCodes, runCodes } from './fax-codes.ts'

const width = 2_700
const height = 24

/** Rows with every run length that has a code, in both colours, each coded relative to a different row above. */
const rows = Array.from({ length: height }, (_, y) => {
  const changes: number[] = []
  for (let at = (y * 7) % 11, run = 1 + y * 3; at < width; run = (run * 5 + 1) % (y % 3 === 0 ? 2_700 : 97)) {
    changes.push(at)
    at += run + 1
  }
  return changes
})
const pixels = Buffer.concat(
  rows.map((changes) => {
    const row = Buffer.alloc(Math.ceil(width / 8), 0xff)
    for (let at = 0; at < width; at++) {
      if (changes.filter((change) => change <= at).length % 2 === 1)
        row[at >> 3] = (row[at >> 3] ?? 0) & ~(128 >> (at & 7))
    }
    return row
  }),
)

const run = (length: number, colour: 0 | 1): string =>
  length > 2_560
    ? (runCodes[colour].at(-1) ?? '') + run(length - 2_560, colour)
    : (length >= 64 ? (runCodes[colour][63 + (length >> 6)] ?? '') : '') + (runCodes[colour][length & 63] ?? '')
const plain = (changes: number[]) =>
  [...changes, width].map((end, at) => run(end - (changes[at - 1] ?? 0), at % 2 === 0 ? 0 : 1)).join('')
const horizontal = (changes: number[]) => {
  const ends = [...changes, width]
  if (ends.length % 2 === 1) ends.push(width)
  return ends
    .map((end, at) => (at % 2 === 0 ? modeCodes.horizontal : '') + run(end - (ends[at - 1] ?? 0), at % 2 === 0 ? 0 : 1))
    .join('')
}
const aligned = (bits: string) => bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')
const toBytes = (bits: string) =>
  Buffer.from(
    aligned(bits)
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  )

const picture = (data: Uint8Array, entries: string) => {
  const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1`
  return drawing('q 300 0 0 200 0 0 cm /X Do Q', stream(data, image + entries))
}
const render = (data: Uint8Array) =>
  renderPdf(picture(data, `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}>>`))

const none = { k: -1, columns: width, isAligned: false }
const codings: Record<string, [string, typeof none]> = {
  'by rows above': [rows.map(horizontal).join('') + endOfLine + endOfLine, none],
  'by rows above, aligned': [rows.map(horizontal).map(aligned).join(''), { ...none, isAligned: true }],
  'row by row': [rows.map(plain).join(''), { ...none, k: 0 }],
  'row by row with marks': [
    rows.map((row) => endOfLine + plain(row)).join('') + endOfLine.repeat(6),
    { ...none, k: 0 },
  ],
  'in both ways': [
    rows.map((row, y) => (y % 2 === 0 ? `${endOfLine}1${plain(row)}` : `${endOfLine}0${horizontal(row)}`)).join(''),
    { ...none, k: 4 },
  ],
}

it.each(Object.entries(codings))(
  'fax data coded %s becomes the same data, which readers show as these pixels',
  async (_how, [bits, format]) => {
    const cleaned = cleanFax(toBytes(bits), format, width, height)
    expect(await render(cleaned)).toEqual(await renderPdf(picture(pixels, '')))
    expect(cleaned).toEqual(cleanFax(toBytes(codings['row by row']?.[0] ?? ''), { ...none, k: 0 }, width, height))
    expect(cleanFax(cleaned, none, width, height)).toEqual(cleaned)
  },
)

it('fax data loses what follows its end, its last row, and what lies right of the picture', () => {
  const bits = rows.slice(0, 2).map(plain).join('')
  const two = cleanFax(toBytes(bits), { ...none, k: 0 }, width, 2)
  const [longer] = codings['row by row'] ?? ['']
  expect(cleanFax(toBytes(longer), { ...none, k: 0 }, width, 2)).toEqual(two)
  const ended = toBytes(rows.slice(0, 2).map(horizontal).join('') + endOfLine + endOfLine)
  expect(cleanFax(Buffer.concat([ended, Buffer.from('Zyxwvut')]), none, width, height)).toEqual(two)
  const narrow = (last: number) => cleanFax(toBytes(plain([3, 9, last])), { ...none, k: 0 }, 20, 1)
  expect(narrow(30)).toEqual(narrow(2_000))
})

it('fax data is refused when a code is none', () =>
  expect(() => cleanFax(Buffer.alloc(40, 0x01), none, width, height)).toThrow(PdfRejectedError))
