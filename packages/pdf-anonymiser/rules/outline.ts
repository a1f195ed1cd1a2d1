import { type PdfDict, PdfName, PdfRef, PdfRefused, PdfString, type PdfValue } from '../syntax/values.ts'
import { sideText } from './auxiliary-text.ts'
import { number, numbers, pick } from './basic.ts'
import type { Copier } from './copier.ts'
import type { Destinations } from './destinations.ts'
import { copyTarget } from './links.ts'

const maxDepth = 50
/** In PDFDocEncoding. */
const ellipsis = new PdfString(Uint8Array.of(0x83))

/** The bookmarks: titles and where they lead. Undefined for a file without any. */
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
      if (seen.size > copy.limits.maxObjects) throw new PdfRefused('too many bookmarks')
      const place = target.reserve()
      const leadsTo = copyTarget(item, copy, destinations)
      const entries: PdfDict = new Map([
        ['Title', ellipsis],
        ...pick(item, { Title: sideText, C: numbers, F: number, Count: number }, copy),
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
