import type { OutputDocument } from '../output-document.ts'
import { type PdfArray, type PdfDict, PdfName, PdfRef, PdfRejectedError, type PdfValue } from '../syntax/values.ts'
import { auxiliaryText } from './auxiliary-text.ts'
import { arrayOf, dict, firstOf, number, oneOf, pick } from './basic.ts'
import { type Copier, dictOf, nameText } from './copier.ts'
import { isStandardRole, language } from './marked-content.ts'

const maxDepth = 90
const maxMarks = 2_000_000

/**
 * Where objects are in the new file: pages by the object number of the source page, links by their source dictionary.
 */
export type Places = {
  output: OutputDocument
  pages: ReadonlyMap<number, PdfRef>
  links: ReadonlyMap<PdfDict, TaggedLink>
}
export type TaggedLink = { link: PdfDict; place: PdfRef; page: PdfRef }

/** Attributes of table cells and list items; sizes and colours are already visible on the page. */
const attributes = dict({
  O: oneOf('Table', 'List'),
  RowSpan: number,
  ColSpan: number,
  Scope: oneOf('Row', 'Column', 'Both'),
  ListNumbering: oneOf(
    'None',
    'Disc',
    'Circle',
    'Square',
    'Decimal',
    'UpperRoman',
    'LowerRoman',
    'UpperAlpha',
    'LowerAlpha',
  ),
})
const elementEntries = {
  Lang: language,
  Alt: auxiliaryText,
  ActualText: auxiliaryText,
  E: auxiliaryText,
  A: firstOf(attributes, arrayOf(attributes)),
}

/**
 * Copies the tags that screen readers use: headings, lists, tables, reading order, language and image descriptions.
 * Titles and ids of elements, classes, private attributes and custom role names are left out. Sets the numbers on pages
 * and links by which tags refer to them.
 */
export function copyTags(catalog: PdfDict, copy: Copier, places: Places): PdfRef | undefined {
  const root = copy.source.resolve(catalog.get('StructTreeRoot'))
  return root instanceof Map ? new Tags(root, copy, places).copyTree(root) : undefined
}

class Tags {
  private readonly copy: Copier
  private readonly places: Places
  private readonly roles: PdfDict
  private readonly seen = new Set<PdfDict>()
  /** For each page the elements of its marked content, by number; the elements of links follow. */
  private readonly parents: PdfArray[]
  private readonly linkParents: PdfRef[] = []
  private readonly indexes: ReadonlyMap<PdfRef, number>
  private kidCount = 0
  private count = 0

  constructor(root: PdfDict, copy: Copier, places: Places) {
    this.copy = copy
    this.places = places
    const roles = copy.source.resolve(root.get('RoleMap'))
    this.roles = roles instanceof Map ? roles : new Map()
    this.parents = places.output.places.map(() => [])
    this.indexes = new Map(places.output.places.map((place, at) => [place, at]))
  }

  copyTree(root: PdfDict): PdfRef | undefined {
    const { target } = this.copy
    const place = target.reserve()
    const kids = this.copyKids(root.get('K'), place, undefined, 0)
    if (kids.length === 0) return undefined
    for (const index of this.parents.keys()) this.places.output.getPage(index)?.set('StructParents', index)
    const pages = this.parents.map((parents) => target.add(Array.from(parents, (parent) => parent ?? null)))
    const numbers = [...pages, ...this.linkParents].flatMap((value, at) => [at, value])
    target.set(
      place,
      new Map<string, PdfValue>([
        ['Type', new PdfName('StructTreeRoot')],
        ['K', kids],
        ['ParentTree', target.add(new Map([['Nums', numbers]]))],
      ]),
    )
    return place
  }

  private copyKids(value: PdfValue | undefined, parent: PdfRef, page: PdfValue | undefined, depth: number): PdfArray {
    const kids = this.copy.source.resolve(value)
    const list = Array.isArray(kids) ? kids : value === undefined ? [] : [value]
    this.kidCount += list.length
    if (this.kidCount > maxMarks) throw new PdfRejectedError('too many marks')
    return list.flatMap((kid) => this.copyKid(kid, parent, page, depth) ?? [])
  }

  private copyKid(value: PdfValue, parent: PdfRef, page: PdfValue | undefined, depth: number): PdfValue | undefined {
    const kid = this.copy.source.resolve(value)
    if (typeof kid === 'number') return this.copyMark(kid, page, parent)
    if (!(kid instanceof Map) || this.seen.has(kid) || depth > maxDepth) return undefined
    this.seen.add(kid)
    if (this.seen.size > this.copy.limits.maxObjects) throw new PdfRejectedError('too many tags')
    const type = nameText(kid.get('Type'), this.copy)
    // Marked content inside a form XObject is referenced differently, which few programs write and few readers support.
    if (type === 'MCR')
      return kid.has('Stm')
        ? undefined
        : this.copyMark(this.copy.source.resolve(kid.get('MCID')), kid.get('Pg') ?? page, parent)
    if (type === 'OBJR') return this.copyLink(kid, parent)
    return this.copyElement(kid, parent, kid.get('Pg') ?? page, depth)
  }

  private copyElement(element: PdfDict, parent: PdfRef, page: PdfValue | undefined, depth: number): PdfRef {
    const place = this.copy.target.reserve()
    const kids = this.copyKids(element.get('K'), place, page, depth + 1)
    const entries: PdfDict = new Map<string, PdfValue>([
      ['Type', new PdfName('StructElem')],
      ['S', new PdfName(this.findRole(element))],
      ['P', parent],
      ...pick(element, elementEntries, this.copy),
    ])
    if (kids.length > 0) entries.set('K', kids)
    this.copy.target.set(place, entries)
    return place
  }

  /** Returns the standard role to which a custom role is mapped. */
  private findRole(element: PdfDict): string {
    let role = nameText(element.get('S'), this.copy)
    for (let hops = 0; role !== undefined && hops < 8 && !isStandardRole(role); hops++)
      role = nameText(this.roles.get(role), this.copy)
    return role !== undefined && isStandardRole(role) ? role : 'NonStruct'
  }

  private copyMark(mark: PdfValue, page: PdfValue | undefined, parent: PdfRef): PdfDict | undefined {
    const found = page instanceof PdfRef ? this.places.pages.get(page.number) : undefined
    if (!found || typeof mark !== 'number' || !Number.isSafeInteger(mark) || mark < 0) return undefined
    const parents = this.parents[this.indexes.get(found) ?? -1]
    if (!parents || parents[mark] !== undefined) return undefined
    this.count += Math.max(0, mark + 1 - parents.length)
    if (this.count > maxMarks) throw new PdfRejectedError('too many marks')
    parents[mark] = parent
    return new Map<string, PdfValue>([
      ['Type', new PdfName('MCR')],
      ['Pg', found],
      ['MCID', mark],
    ])
  }

  private copyLink(reference: PdfDict, parent: PdfRef): PdfDict | undefined {
    const found = this.places.links.get(dictOf(this.copy.source.resolve(reference.get('Obj'))) ?? new Map())
    if (!found || found.link.has('StructParent')) return undefined
    found.link.set('StructParent', this.parents.length + this.linkParents.length)
    this.linkParents.push(parent)
    return new Map<string, PdfValue>([
      ['Type', new PdfName('OBJR')],
      ['Obj', found.place],
      ['Pg', found.page],
    ])
  }
}
