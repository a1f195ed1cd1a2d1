import { expect, it, vi } from 'vitest'
import { layOut } from '../../pdfium/test/build-pdf.ts'
import { anonymiserLimits } from '../limits.ts'
import { OutputDocument } from '../output-document.ts'
import { readFilters } from '../streams/filters.ts'
import { PdfFile } from '../syntax/read.ts'
import { PdfLimitError, PdfName, PdfRef, PdfRejectedError, PdfStream, type PdfValue } from '../syntax/values.ts'
import { PdfWriter } from '../syntax/write.ts'
import { findShown } from './annotations.ts'
import { Copier } from './copier.ts'
import { Destinations } from './destinations.ts'
import { layer } from './layers.ts'
import { copyPageLabels } from './outline.ts'
import { readPages } from './pages.ts'
import { countComponents } from './sizes.ts'
import { copyTags } from './structure.ts'

const maxSteps = 10_000

/** Reads a file of a catalog and more objects. It throws when they are read more often than a short file needs. */
function open(catalog: string, ...objects: string[]) {
  const source = new PdfFile(layOut([`<</Type/Catalog${catalog}>>`, ...objects]))
  const resolve = source.resolve.bind(source)
  let steps = 0
  vi.spyOn(source, 'resolve').mockImplementation((value) => {
    if (++steps > maxSteps) throw new Error('read too often')
    return resolve(value)
  })
  const entries = resolve(source.trailer.get('Root'))
  if (!(entries instanceof Map)) throw new Error('no catalog')
  return { source, catalog: entries, copy: new Copier(source, new PdfWriter(), anonymiserLimits(1)) }
}

it('reads page labels once that are below many nodes, or below themselves', () => {
  const nodes = open('/PageLabels 2 0 R', `<</Kids[${'2 0 R '.repeat(10)}]/Nums[0<</S/r>>]>>`)
  expect(copyPageLabels(nodes.catalog, nodes.copy)?.get('Nums')).toHaveLength(2)
  const lists = open(
    `/PageLabels<</Kids[${'<</Nums 2 0 R>>'.repeat(200)}]>>`,
    `[${Array.from({ length: 200 }, (_, at) => `${at}<</S/r>>`).join('')}]`,
  )
  expect(copyPageLabels(lists.catalog, lists.copy)?.get('Nums')).toHaveLength(400)
})

it('reads named destinations once that are below themselves', () => {
  const { source, catalog } = open('/Names<</Dests 2 0 R>>', `<</Kids[${'2 0 R '.repeat(10)}]>>`)
  expect(new Destinations(source, catalog, new Map()).find(null)).toBeNull()
})

it('rejects a page tree in which a node occurs twice, but not a page that does', () => {
  const node = (next: number) => `<</Type/Pages/Kids[${`${next} 0 R `.repeat(10)}]>>`
  const empty = open('/Pages 2 0 R', ...Array.from({ length: 15 }, (_, at) => node(at + 3)), '<</Type/Pages/Kids[]>>')
  expect(() => readPages(empty.source, 100)).toThrow(PdfRejectedError)
  const repeated = open('/Pages 2 0 R', node(3), '<</Type/Page>>')
  expect(readPages(repeated.source, 100).pages).toHaveLength(10)
})

it('rejects a visibility expression that consists of itself', () => {
  const membership = '<</Type/OCMD/OCGs 4 0 R/VE 3 0 R>>'
  const group = '<</Type/OCG/Name(a)>>'
  const own = open('/Layer 2 0 R', membership, '[/And 3 0 R 3 0 R]', group)
  expect(() => layer(own.source.resolve(new PdfRef(2)), own.copy)).toThrow(PdfRejectedError)
  const nested = open('/Layer 2 0 R', membership, `[/And ${'<</Type/OCMD/VE 3 0 R>>'.repeat(2)}]`, group)
  expect(layer(nested.source.resolve(new PdfRef(2)), nested.copy)).toBeInstanceOf(Map)
})

it('copies the list of layers of many conditions once', () => {
  const count = 200
  const conditions = '<</Type/OCMD/OCGs 3 0 R>>'.repeat(count)
  const { copy, source } = open('', `[${conditions}]`, `[${'4 0 R '.repeat(count)}]`, '<</Type/OCG/Name(a)>>')
  const list = source.resolve(new PdfRef(2))
  if (!Array.isArray(list)) throw new Error('no list')
  const copies = list.map((condition) => copy.apply(condition, layer))
  expect(new Set(copies.map((copied) => copied instanceof Map && copied.get('OCGs')))).toEqual(
    new Set([expect.any(PdfRef)]),
  )
})

it('reads no more of an array than counts', () => {
  const { copy, source, catalog } = open('/Space[/DeviceGray 0 0 0 0]', `[/Lab ${'0 '.repeat(maxSteps)}]`)
  expect(countComponents(catalog.get('Space'), copy)).toBe(1)
  expect(countComponents(source.resolve(new PdfRef(2)), copy)).toBe(3)
})

it('rejects more filters than a real file has', () => {
  const { copy } = open('')
  const stream = (count: number) =>
    new PdfStream(
      new Map([['Filter', Array.from({ length: count }, () => new PdfName('ASCIIHexDecode'))]]),
      Buffer.of(),
    )
  expect(readFilters(stream(8), copy)).toHaveLength(8)
  expect(() => readFilters(stream(9), copy)).toThrow(PdfRejectedError)
})

it('rejects more tags or annotations in total than a real file has', () => {
  const { copy, catalog } = open('/Annots[0 0 0]')
  copy.annotations = copy.limits.maxObjects - 3
  expect(findShown(catalog, copy)).toEqual([])
  expect(() => findShown(catalog, copy)).toThrow(PdfLimitError)
  const root: PdfValue = new Map([['K', Array.from({ length: 2_000_001 }, () => 0)]])
  const places = { output: new OutputDocument(1), pages: new Map(), links: new Map() }
  expect(() => copyTags(new Map([['StructTreeRoot', root]]), copy, places)).toThrow(PdfRejectedError)
})
