import { type PdfDict, PdfName, PdfRef, PdfRejectedError, PdfString, type PdfValue } from '../syntax/values.ts'
import { auxiliaryText } from './auxiliary-text.ts'
import { dict, number, numbers, oneOf, pick } from './basic.ts'
import type { Copier } from './copier.ts'
import type { Destinations } from './destinations.ts'
import { copyTarget } from './links.ts'
import { readTree } from './trees.ts'

const maxDepth = 50
/** The ellipsis in PDFDocEncoding. */
const ellipsis = new PdfString(Uint8Array.of(0x83))

/** Copies the bookmarks with their titles and targets. Returns undefined for a file without bookmarks. */
export function copyOutline(catalog: PdfDict, copy: Copier, destinations: Destinations): PdfRef | undefined {
  const { source, target } = copy
  const seen = new Set<number>()

  const copyLevel = (first: PdfValue | undefined, parent: PdfRef, depth: number): PdfDict => {
    const places: PdfRef[] = []
    const items: PdfDict[] = []
    for (let at = first ?? null; at instanceof PdfRef && !seen.has(at.number); ) {
      const item = source.resolve(at)
      if (!(item instanceof Map) || depth > maxDepth) break
      seen.add(at.number)
      if (seen.size > copy.limits.maxObjects) throw new PdfRejectedError('too many bookmarks')
      const place = target.reserve()
      const leadsTo = copyTarget(item, copy, destinations)
      const entries: PdfDict = new Map([
        ['Title', ellipsis],
        ...pick(item, { Title: auxiliaryText, C: numbers, F: number, Count: number }, copy),
        ['Parent', parent],
        ...(leadsTo ? [leadsTo] : []),
        ...copyLevel(item.get('First'), place, depth + 1),
      ])
      places.push(place)
      items.push(entries)
      at = item.get('Next') ?? null
    }
    for (const [at, place] of places.entries()) {
      const [previous, next] = [places[at - 1], places[at + 1]]
      if (previous) items[at]?.set('Prev', previous)
      if (next) items[at]?.set('Next', next)
      target.set(place, items[at] ?? null)
    }
    const [firstPlace, lastPlace] = [places[0], places.at(-1)]
    return new Map(
      firstPlace && lastPlace
        ? [
            ['First', firstPlace],
            ['Last', lastPlace],
          ]
        : [],
    )
  }

  const outline = source.resolve(catalog.get('Outlines'))
  if (!(outline instanceof Map)) return undefined
  const root = target.reserve()
  const level = copyLevel(outline.get('First'), root, 0)
  if (level.size === 0) return undefined
  target.set(root, new Map([['Type', new PdfName('Outlines')], ...pick(outline, { Count: number }, copy), ...level]))
  return root
}

const label = dict({ S: oneOf('D', 'R', 'r', 'A', 'a'), P: auxiliaryText, St: number })

/** Copies page numbering such as i, ii, iii, 1, 2, A-1. Returns undefined when pages have plain numbers. */
export function copyPageLabels(catalog: PdfDict, copy: Copier): PdfDict | undefined {
  const ranges = new Map<number, PdfValue>()
  for (const [first, value] of readTree(copy.source, catalog.get('PageLabels'), 'Nums')) {
    const numbering = copy.apply(value, label)
    if (Number.isSafeInteger(first) && numbering !== undefined && ranges.size < copy.limits.maxPages)
      ranges.set(Number(first), numbering)
  }
  if (ranges.size === 0) return undefined
  return new Map([['Nums', [...ranges].sort(([one], [other]) => one - other).flat()]])
}
