import { latin1 } from '../syntax/lexer.ts'
import type { PdfFile } from '../syntax/read.ts'
import { type PdfArray, type PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../syntax/values.ts'
import { shorten } from './basic.ts'
import { readTree } from './trees.ts'

const fits = new Set(['XYZ', 'Fit', 'FitH', 'FitV', 'FitR', 'FitB', 'FitBH', 'FitBV'])
const maxNames = 100_000

/**
 * Resolves the targets of links inside the file. Named destinations are replaced by explicit ones, so that their names
 * are not copied.
 */
export class Destinations {
  private readonly source: PdfFile
  private readonly pages: ReadonlyMap<number, PdfRef>
  private readonly named = new Map<string, PdfValue>()

  /** @param pages the page of the new file by the object number of the source page. */
  constructor(source: PdfFile, catalog: PdfDict, pages: ReadonlyMap<number, PdfRef>) {
    this.source = source
    this.pages = pages
    const names = source.resolve(catalog.get('Names'))
    const tree = names instanceof Map ? names.get('Dests') : null
    for (const [name, place] of readTree(source, tree, 'Names')) {
      if (this.named.size >= maxNames) break
      if (name instanceof PdfString) this.named.set(latin1(name.bytes), place)
    }
    const older = source.resolve(catalog.get('Dests'))
    if (older instanceof Map) for (const [name, place] of older) this.named.set(name, place)
  }

  /** Returns the destination for the new file: page, fit mode and coordinates. Null if it has no valid target. */
  find(value: PdfValue | undefined): PdfArray | null {
    let place = this.source.resolve(value)
    if (place instanceof PdfString) place = this.source.resolve(this.named.get(latin1(place.bytes)))
    else if (place instanceof PdfName) place = this.source.resolve(this.named.get(place.text))
    if (place instanceof Map) place = this.source.resolve(place.get('D'))
    if (!Array.isArray(place)) return null
    const [page, fit, ...rest] = place.slice(0, 6)
    const target = page instanceof PdfRef ? this.pages.get(page.number) : undefined
    const way = this.source.resolve(fit)
    if (!target || !(way instanceof PdfName) || !fits.has(way.text)) return null
    return [target, way, ...rest.map((item) => (typeof item === 'number' ? shorten(item) : null))]
  }
}
