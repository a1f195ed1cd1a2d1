import { expect, it, vi } from 'vitest'
import { layOut } from '../../pdfium/test/build-pdf.ts'
import { anonymiserLimits } from '../limits.ts'
import { PdfFile } from '../syntax/read.ts'
import { PdfRejectedError } from '../syntax/values.ts'
import { PdfWriter } from '../syntax/write.ts'
import { Copier } from './copier.ts'
import { Destinations } from './destinations.ts'
import { copyPageLabels } from './outline.ts'
import { readPages } from './pages.ts'

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

const times = (count: number, text: string) => text.repeat(count)

it('reads page labels once that are below many nodes, or below themselves', () => {
  const nodes = open('/PageLabels 2 0 R', `<</Kids[${times(10, '2 0 R ')}]/Nums[0<</S/r>>]>>`)
  expect(copyPageLabels(nodes.catalog, nodes.copy)?.get('Nums')).toHaveLength(2)
  const lists = open(
    `/PageLabels<</Kids[${times(200, '<</Nums 2 0 R>>')}]>>`,
    `[${Array.from({ length: 200 }, (_, at) => `${at}<</S/r>>`).join('')}]`,
  )
  expect(copyPageLabels(lists.catalog, lists.copy)?.get('Nums')).toHaveLength(400)
})

it('reads named destinations once that are below themselves', () => {
  const { source, catalog } = open('/Names<</Dests 2 0 R>>', `<</Kids[${times(10, '2 0 R ')}]>>`)
  expect(new Destinations(source, catalog, new Map()).find(null)).toBeNull()
})

it('rejects a page tree in which a node occurs twice, but not a page that does', () => {
  const node = (next: number) => `<</Type/Pages/Kids[${times(10, `${next} 0 R `)}]>>`
  const empty = open('/Pages 2 0 R', ...Array.from({ length: 15 }, (_, at) => node(at + 3)), '<</Type/Pages/Kids[]>>')
  expect(() => readPages(empty.source, 100)).toThrow(PdfRejectedError)
  const repeated = open('/Pages 2 0 R', node(3), '<</Type/Page>>')
  expect(readPages(repeated.source, 100).pages).toHaveLength(10)
})
