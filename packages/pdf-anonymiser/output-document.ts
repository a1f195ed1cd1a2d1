import { type PdfDict, PdfName, type PdfRef, PdfRejectedError, type PdfStream, type PdfValue } from './syntax/values.ts'
import { PdfWriter, referencesIn } from './syntax/write.ts'

/** A copy in the making. A page that has been put in may be replaced. */
export class OutputDocument {
  readonly target = new PdfWriter()
  readonly places: PdfRef[]
  readonly catalog: PdfDict
  /** How long page descriptions and forms are. */
  lengths: ReadonlyMap<PdfStream, number> = new Map()
  /** Pages with marks in layers, which PDFium draws in the original though they may be hidden. */
  readonly incomparable = new Set<number>()
  /** The links of pages that have some, which stay where a page is drawn. */
  readonly links = new Map<number, PdfRef[]>()
  /** Links that were left out because their address holds a name. */
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

  /** Puts in a page that is a picture: the frames of its links are part of that. */
  setDrawnPage(index: number, entries: PdfDict): void {
    const links = (this.links.get(index) ?? []).filter(
      (place) => !this.leading.has(place.number) && this.unframe(place),
    )
    this.setPage(index, links.length > 0 ? new Map([...entries, ['Annots', links]]) : entries)
  }

  /** @returns whether anything is left: it leads somewhere. */
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
   * Pages that are not there, or need what was refused. What the file has beside its pages goes where it does. Raises
   * `PdfRejectedError` when it is not known which layers are hidden.
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
