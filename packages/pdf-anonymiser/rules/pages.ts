import type { PdfFile } from '../syntax/read.ts'
import { type PdfDict, PdfLimitError, PdfName, PdfRef, PdfRejectedError, type PdfValue } from '../syntax/values.ts'

/** `number` is the object number of the page; `entries` includes the inherited entries. */
export type SourcePage = { number: number; entries: PdfDict }

const maxDepth = 50
const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate']

/** Lists the pages in reading order. Throws `PdfRejectedError` when the tree has a gap, a node twice or too many leaves. */
export function readPages(source: PdfFile, maxPages: number): { catalog: PdfDict; pages: SourcePage[] } {
  const catalog = source.resolve(source.trailer.get('Root'))
  if (!(catalog instanceof Map)) throw new PdfRejectedError('no catalog')
  const pages: SourcePage[] = []
  const nodes = new Set<number>()

  const walk = (kid: PdfValue | undefined, handedDown: PdfDict, depth: number) => {
    if (!(kid instanceof PdfRef)) throw new PdfRejectedError('damaged page tree')
    const node = source.resolve(kid)
    if (!(node instanceof Map)) throw new PdfRejectedError('damaged page tree')
    const entries: PdfDict = new Map(node)
    for (const key of inherited) {
      const value = handedDown.get(key)
      if (!entries.has(key) && value !== undefined) entries.set(key, value)
    }
    const kids = source.resolve(node.get('Kids'))
    const type = source.resolve(node.get('Type'))
    const isTree = type instanceof PdfName ? type.text === 'Pages' : Array.isArray(kids)
    if (!isTree) {
      if (pages.push({ number: kid.number, entries }) > maxPages) throw new PdfLimitError('too many pages')
      return
    }
    if (!Array.isArray(kids) || depth > maxDepth || nodes.has(kid.number))
      throw new PdfRejectedError('damaged page tree')
    nodes.add(kid.number)
    for (const next of kids) walk(next, entries, depth + 1)
  }

  walk(catalog.get('Pages'), new Map(), 0)
  return { catalog, pages }
}
