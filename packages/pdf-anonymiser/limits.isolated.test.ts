import { deflateSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import type * as pdfium from '../pdfium/pdfium.ts'
import { buildPdf, drawing, stream } from '../pdfium/test/build-pdf.ts'
import { makeSharingFile, sharingPages, unsharedPages } from '../pdfium/test/hostile-files.ts'
import { anonymisePdf } from './anonymise.ts'
import { type AnonymiserLimits, anonymiserLimits } from './limits.ts'

const drawings = vi.hoisted(() => ({ read: 0 }))
const texts = vi.hoisted(() => ({ read: 0 }))
vi.mock(import('../pdfium/pdfium.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    withPdfium: (maxHeapBytes, work) => original.withPdfium(maxHeapBytes, (pdfium) => work(countDrawings(pdfium))),
  }
})

function countDrawings({ open }: pdfium.Pdfium): pdfium.Pdfium {
  return {
    open(bytes) {
      const document = open(bytes)
      if (typeof document === 'string') return document
      const renderPage: typeof document.renderPage = (...page) => {
        drawings.read++
        return document.renderPage(...page)
      }
      const readText: typeof document.readText = (...page) => {
        texts.read++
        return document.readText(...page)
      }
      return { ...document, renderPage, readText }
    },
  }
}

const pages = 20
const sharedBytes = 100_000
const limits = (changed: Partial<AnonymiserLimits>) => ({ limits: { ...anonymiserLimits(1), ...changed } })

it.each(Object.entries(sharingPages))('counts %s of many pages once', async (_what, pageOf) => {
  const file = makeSharingFile(pages, sharedBytes, pageOf)
  const copy = await anonymisePdf(file, limits({ maxTextBytes: sharedBytes + pages * 10 }))
  expect(copy?.bytes.length).toBeLessThan(file.length * 1.5)
  expect(await anonymisePdf(file, limits({ maxTextBytes: sharedBytes - 1 }))).toBeNull()
})

it('counts what pages share for each of them where each has to get its own', async () => {
  const file = makeSharingFile(pages, sharedBytes, unsharedPages)
  expect(await anonymisePdf(file, limits({ maxTextBytes: pages * sharedBytes - 1 }))).toBeNull()
  expect(await anonymisePdf(file, limits({ maxTextBytes: pages * (sharedBytes + 10) }))).not.toBeNull()
})

it('counts what every filter gives', async () => {
  const twice = deflateSync(deflateSync(Buffer.alloc(10_000, 'q Q '), { level: 0 }), { level: 0 })
  const file = buildPdf({ content: twice, contentDict: '/Filter[/FlateDecode/FlateDecode]' })
  expect(await anonymisePdf(file, limits({ maxTextBytes: 15_000 }))).toBeNull()
  expect(await anonymisePdf(file, limits({ maxTextBytes: 25_000 }))).not.toBeNull()
})

it('counts pictures apart, and the size of the copy', async () => {
  const image = stream(
    deflateSync(Buffer.alloc(90_000)),
    '/Type/XObject/Subtype/Image/Width 300/Height 300/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
  )
  const file = drawing('/X Do', image)
  expect(await anonymisePdf(file, limits({ maxTextBytes: 100, maxDataBytes: 90_000 }))).not.toBeNull()
  expect(await anonymisePdf(file, limits({ maxDataBytes: 89_999 }))).toBeNull()
  expect(await anonymisePdf(file, limits({ maxRewrittenBytes: 500 }))).toBeNull()
})

it.each([...Object.entries(sharingPages), ['a part', unsharedPages] as const])(
  'lets PDFium read %s of many pages a few times at most',
  async (_what, pageOf) => {
    drawings.read = 0
    const file = makeSharingFile(pages, sharedBytes, pageOf)
    expect(await anonymisePdf(file, limits({ maxComparedBytes: 3.5 * sharedBytes }))).not.toBeNull()
    expect(drawings.read).toBeGreaterThan(0)
    // Each page is read in the original and in the copy.
    expect(drawings.read).toBeLessThanOrEqual(2 * 3)
  },
)

it('reads the text of pages only to find a name', async () => {
  texts.read = 0
  expect(await anonymisePdf(buildPdf())).not.toBeNull()
  expect(texts.read).toBe(0)
  expect(await anonymisePdf(buildPdf(), { names: ['Ada'] })).not.toBeNull()
  expect(texts.read).toBeGreaterThan(0)
})
