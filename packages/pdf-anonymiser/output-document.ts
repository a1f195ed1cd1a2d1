import { type PdfDict, PdfName, type PdfRef, PdfRejectedError, type PdfStream, type PdfValue } from './syntax/values.ts'
import { PdfWriter, referencesIn } from './syntax/write.ts'

/** The copy under construction. A page that has been set can be replaced. */
export class OutputDocument {
  readonly target = new PdfWriter()
  readonly places: PdfRef[]
  readonly catalog: PdfDict
  /** The lengths of content streams and forms, in bytes. */
  lengths: ReadonlyMap<PdfStream, number> = new Map()
  /** Pages with annotations in layers. PDFium draws these in the original even when they are hidden. */
  readonly incomparable = new Set<number>()
  /** The link annotations by page index, which are kept when the page is rasterised. */
  readonly links = new Map<number, PdfRef[]>()
  /** The number of links that were left out because their address contains a name. */
  droppedLinks = 0
  private leading: ReadonlySet<number> = new Set()
  private readonly root = this.target.reserve()
  private readonly tree = this.target.reserve()

  constructor(pageCount: number) {
    this.places = Array.from({ length: pageCount }, () => this.target.reserve())
    this.catalog = new Map<string, PdfValue>([
      ['Type', new PdfName('Catalog')],
      ['Pages', this.tree],
    ])
    this.target.set(this.root, this.catalog)
    const tree: PdfDict = new Map<string, PdfValue>([
      ['Type', new PdfName('Pages')],
      ['Kids', this.places],
      ['Count', pageCount],
    ])
    this.target.set(this.tree, tree)
  }

  setPage(index: number, entries: PdfDict): void {
    const place = this.places[index]
    if (place) this.target.set(place, new Map([['Type', new PdfName('Page')], ['Parent', this.tree], ...entries]))
  }

  /** Sets a rasterised page. Its links lose their borders, because the image already shows them. */
  setDrawnPage(index: number, entries: PdfDict): void {
    const links = (this.links.get(index) ?? []).filter(
      (place) => !this.leading.has(place.number) && this.unframe(place),
    )
    this.setPage(index, links.length > 0 ? new Map([...entries, ['Annots', links]]) : entries)
  }

  /** @returns whether the link still has a target. */
  private unframe(place: PdfRef): boolean {
    const link = this.target.get(place)
    if (!(link instanceof Map)) return false
    link.delete('BS')
    link.set('Border', [0, 0, 0])
    return link.has('A') || link.has('Dest')
  }

  getPage(index: number): PdfDict | null {
    const place = this.places[index]
    const page = place && this.target.get(place)
    return page instanceof Map ? page : null
  }

  /**
   * Finds pages that are missing or that refer to a rejected object. Catalog entries that refer to one are removed.
   * Throws `PdfRejectedError` when it is unknown which layers are hidden.
   */
  findMissing(refused: ReadonlySet<PdfValue>): number[] {
    const leading = this.target.findLeadingTo(refused, new Set(this.places.map(({ number }) => number)))
    this.leading = leading
    for (const [key, value] of this.catalog) {
      if (key === 'Pages' || ![...referencesIn(value)].some((number) => leading.has(number))) continue
      if (key === 'OCProperties') throw new PdfRejectedError('unknown layers')
      this.catalog.delete(key)
    }
    return this.places.flatMap((place, at) => (this.getPage(at) && !leading.has(place.number) ? [] : [at]))
  }

  toBytes(): Uint8Array {
    return this.target.toBytes(this.root)
  }
}
