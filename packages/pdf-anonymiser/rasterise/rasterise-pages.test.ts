import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, it } from 'vitest'
import { type PdfiumDocument, withPdfium } from '../../pdfium/pdfium.ts'
import { buildPdf, layOut, stream } from '../../pdfium/test/build-pdf.ts'
import { readText } from '../../pdfium/test/read-text.ts'
import { renderPdf } from '../../pdfium/test/render-pdf.ts'
import { anonymisePdf } from '../anonymise.ts'
import { type AnonymiserLimits, anonymiserLimits } from '../limits.ts'
import { OutputDocument } from '../output-document.ts'
import { samplePage } from '../page-sample.ts'
import { canary, canaryFiles } from '../test/canary-files.ts'
import { holdsCanary } from '../test/expand-pdf.ts'
import { hiddenStamps, visualFixtures } from '../test/visual-fixtures.ts'
import { rasterisePages } from './rasterise-pages.ts'

const limits = anonymiserLimits(1)

/** Opens the files in a PDFium that is restored afterwards, because a new one for each takes long. */
const withDocuments = <T>(files: Uint8Array[], work: (...documents: PdfiumDocument[]) => T | Promise<T>) =>
  withPdfium(limits.pdfiumMaxHeapBytes, ({ open }) => {
    const opened = files.map((file) => {
      const document = open(file)
      if (typeof document === 'string') throw new Error(document)
      return document
    })
    return work(...opened)
  })

/** Rasterises all pages of a file. */
const drawAll = (file: Uint8Array, changed: Partial<AnonymiserLimits> = {}) =>
  withDocuments([file], async (original) => {
    const output = new OutputDocument(original.pageCount)
    const pages = Array.from({ length: original.pageCount }, (_, page) => page)
    for (const [page, entries] of await rasterisePages(original, pages, output.target, { ...limits, ...changed }))
      output.setPage(page, entries)
    return Buffer.from(output.toBytes())
  })

const coarse = { drawnPerInch: 72, minDrawnPerInch: 1 }
/**
 * Returns the largest difference of a block of 4 by 4 pixels, from 0 to 255. An edge that moves by a fraction of a
 * pixel stays below 64.
 */
function compareLooks(before: PdfiumDocument, after: PdfiumDocument, size: [number, number]): number {
  const [one, other] = [before, after].map((document) => samplePage(document, 0, size, 1_000_000))
  if (!one || !other) throw new Error('The page does not open')
  return Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))))
}

const words = (texts: string[]) => texts.map((text) => text.split(/\s+/).filter(Boolean).join(' '))
const readWithPdfium = (file: Uint8Array) =>
  withDocuments([file], (document) =>
    words(Array.from({ length: document.pageCount }, (_, page) => document.readText(page, 10_000) ?? '')),
  )

it.each(Object.entries(canaryFiles))('a drawn page does not hold a name from %s', async (_place, file) => {
  const copy = await drawAll(file, coarse)
  const [name = ''] = canary.split(' ')
  expect(await holdsCanary(copy, name)).toBe(false)
  // The raw bytes do not suffice, because the text layer uses character codes of its own.
  expect((await readText(copy)).join()).not.toContain(name)
  expect((await readWithPdfium(copy)).join()).not.toContain(name)
})

// PDFium aligns a pattern's tiles to whole pixels, so its appearance depends on the resolution.
const { 'a pattern and a gradient': _, ...others } = visualFixtures
it.each(Object.entries(others))('a drawn page looks the same with %s', async (_feature, file) => {
  await withDocuments([file, await drawAll(file)], (before, after) => {
    const size = before.measurePage(0) ?? [0, 0]
    expect(after.measurePage(0)).toEqual(size)
    expect(compareLooks(before, after, size)).toBeLessThan(80)
  })
})

it.each(Object.entries(hiddenStamps))(
  'a drawn page looks the same with what is hidden staying hidden: a stamp %s',
  async (_how, file) =>
    expect(await renderPdf(await drawAll(file))).toEqual(await renderPdf(await drawAll(buildPdf()))),
)

const corner = '/MediaBox[-50 -40 300 200]/CropBox[10.25 20.5 290 190]'
it.each([0, 90, 180, 270])(
  'a drawn page looks the same with its box anywhere, turned by %s degrees, and its text where it was',
  async (degrees) => {
    const file = buildPdf({ page: `${corner}/Rotate ${degrees}`, content: 'BT /F1 24 Tf 20 150 Td (Notes) Tj ET' })
    await withDocuments([file, await drawAll(file)], (before, after) => {
      expect(after.placePage(0)).toEqual(before.placePage(0))
      const size = before.measurePage(0) ?? [0, 0]
      expect(compareLooks(before, after, size)).toBeLessThan(80)
      const letters = after.readCharacters(0) ?? []
      for (const [at, letter] of (before.readCharacters(0) ?? []).entries()) {
        expect(letters[at]?.codePoint).toBe(letter.codePoint)
        expect(Math.hypot((letters[at]?.x ?? 0) - letter.x, (letters[at]?.y ?? 0) - letter.y)).toBeLessThan(0.5)
      }
    })
  },
)

const saying = (content: string, entries = '') => buildPdf({ content, resources: entries })
const notes = 'BT /F1 24 Tf 20 150 Td (Notes on sets) Tj ET'

it('the text of a drawn page reads as before in both readers', async () => {
  const file = saying(
    `${notes} BT /F1 9 Tf 0 1 -1 0 200 20 Tm (turned) Tj ET BT /F1 12 Tf 20 90 Td [(A)80(VAT) -400(ar)] TJ ET`,
  )
  const copy = await drawAll(file)
  expect(words(await readText(copy))).toEqual(words(await readText(file)))
  expect(await readWithPdfium(copy)).toEqual(await readWithPdfium(file))
  expect(await readWithPdfium(copy)).toEqual(['Notes on sets turned AVAT ar'])
})

it.each([
  ['white on white', '1 g BT /F1 9 Tf 20 50 Td (secret) Tj ET'],
  ['without ink', 'BT 3 Tr /F1 9 Tf 20 50 Td (secret) Tj ET'],
  ['covered', 'BT /F1 9 Tf 20 50 Td (secret) Tj ET 0 g 0 30 200 50 re f'],
  ['beside the page', 'BT /F1 9 Tf 20 -50 Td (secret) Tj ET'],
  ['cut away', 'q 0 0 5 5 re W n BT /F1 9 Tf 20 50 Td (secret) Tj ET Q'],
  ['without a size', 'BT /F1 0.001 Tf 20 50 Td (secret) Tj ET'],
])('the text of a drawn page leaves out what does not show: %s', async (_how, hidden) => {
  const file = saying(`${notes} ${hidden}`)
  expect((await readWithPdfium(file)).join()).toContain('secret')
  expect(await readWithPdfium(await drawAll(file))).toEqual(['Notes on sets'])
})

it('the text of a drawn page keeps what was recognised on a scan', async () => {
  const scanned = 'BT /F1 24 Tf 20 150 Td (Notes) Tj ET'
  const file = saying(`${scanned} BT 3 Tr /F1 24 Tf 20 150 Td (Notes) Tj ET`)
  expect(await readWithPdfium(await drawAll(file))).toEqual(['Notes'])
})

const unknown = stream('x', '/Type/XObject/Subtype/Image/Width 1/Height 1/Filter/Zyx')
const pageOf = (resources: string) =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 6 0 R/Resources${resources}>>`
const font = '/Font<</F1 7 0 R>>'
const file = layOut([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>',
  pageOf(`<<${font}>>`),
  pageOf(`<<${font}/XObject<</X 8 0 R>>>>`),
  pageOf(`<<${font}/XObject<</X 9 0 R>>>>`),
  stream('BT /F1 24 Tf 20 150 Td (Notes) Tj ET'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  unknown,
  stream('', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 8 0 R>>>>'),
])

it('a file with pages that cannot be copied has these drawn and the others copied, and nothing of what was begun', async () => {
  const copy = await anonymisePdf(file)
  expect(copy?.drawnPages).toEqual([2, 3])
  expect(words(await readText(copy?.bytes ?? file))).toEqual(['Notes', 'Notes', 'Notes'])
  expect(Buffer.from(copy?.bytes ?? file).toString('latin1')).not.toContain('Zyx')
  const again = await anonymisePdf(copy?.bytes ?? file)
  expect(again?.drawnPages).toEqual([])
})

it('a file with pages that cannot be copied keeps the links of drawn pages, without their frames, and none that names a person', async () => {
  const link = (rest: string) => `<</Type/Annot/Subtype/Link/Rect[20 140 90 170]${rest}>>`
  const annotations = [
    link('/Border[0 0 3]/A<</S/URI/URI(https://uni.example/reading)>>'),
    link('/Border[0 0 0]/Dest[3 0 R/Fit]'),
    link('/A<</S/URI/URI(mailto:ada@uni.example)>>'),
  ]
  const linked = layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R/Resources<<${font}>>>>`.replaceAll(
      '7 0 R',
      '6 0 R',
    ),
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R/Annots[${annotations.join('')}]
        /Resources<</Font<</F1 6 0 R>>/XObject<</X 7 0 R>>>>>>`,
    stream('BT /F1 24 Tf 20 150 Td (Notes) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    unknown,
  ])
  const copy = await anonymisePdf(linked)
  expect(copy?.drawnPages).toEqual([2])
  const bytes = Buffer.from(copy?.bytes ?? linked).toString('latin1')
  expect(bytes).toContain(Buffer.from('https://uni.example/reading').toString('hex'))
  expect(bytes).not.toContain('[0 0 3]')
  const pages = (await PDFDocument.load(copy?.bytes ?? linked)).getPages()
  expect(pages.map(({ node }) => node.Annots()?.size() ?? 0)).toEqual([0, 2])
})

it('a file with pages that cannot be copied is the same for everybody', async () =>
  expect((await anonymisePdf(file))?.bytes).toEqual((await anonymisePdf(Buffer.from(file)))?.bytes))

it('a file with pages that cannot be copied has many pages drawn more coarsely, and too many not at all', async () => {
  const finest = await drawAll(file)
  const pixels = (300 * 200 * 3) / 4
  expect((await drawAll(file, { maxDrawnPixels: 4 * pixels, minDrawnPerInch: 36 })).length).toBeLessThan(finest.length)
  expect(await anonymisePdf(file, { limits: { ...limits, maxDrawnPixels: pixels, minDrawnPerInch: 100 } })).toBeNull()
})

it('a file with pages that cannot be copied has a huge page drawn within the memory that there is', async () => {
  const huge = buildPdf({ page: '/MediaBox[0 0 14400 14400]' })
  const copy = await drawAll(huge, { maxDrawnPagePixels: 10_000 })
  expect(copy.toString('latin1')).toMatch(/\/Width 100\s\/Height 100/)
})
