import type { AnonymiserLimits } from './limits.ts'
import { Draft } from './output-document.ts'
import { copyOverlays, findShown } from './rules/annotations.ts'
import { findAuthors } from './rules/auxiliary-text.ts'
import { pick } from './rules/basic.ts'
import { type BoxNumbers, Copier } from './rules/copier.ts'
import { Destinations } from './rules/destinations.ts'
import { drawOverlays } from './rules/flatten.ts'
import { pageEntries } from './rules/graphics.ts'
import { copyLayers } from './rules/layers.ts'
import { copyLinks } from './rules/links.ts'
import { language } from './rules/marked-content.ts'
import { readNames } from './rules/names.ts'
import { copyOutline } from './rules/outline.ts'
import { copyPageLabels } from './rules/page-labels.ts'
import { readPages } from './rules/pages.ts'
import { copyTags, type TaggedLink } from './rules/structure.ts'
import { cleanStreams } from './streams/clean.ts'
import { SavedFile } from './syntax/read.ts'
import { type PdfDict, PdfRefused, PdfTooCostly, type PdfValue } from './syntax/values.ts'

/**
 * @param saved a file as PDFium writes it.
 * @returns `missing`: pages that hold what no rule knows.
 */
export async function copyDocument(
  saved: Uint8Array,
  limits: AnonymiserLimits,
  boxNumbers: BoxNumbers,
  names: readonly string[],
): Promise<{ draft: Draft; missing: number[] }> {
  const source = new SavedFile(saved)
  const { catalog, pages } = readPages(source, limits.maxPages)
  const draft = new Draft(pages.length)
  const copy = new Copier(source, draft.target, limits, { boxNumbers, names: readNames(findAuthors(source), names) })

  const byNumber = new Map(pages.flatMap(({ number }, at) => (draft.places[at] ? [[number, draft.places[at]]] : [])))
  const destinations = new Destinations(source, catalog, byNumber)
  const links = new Map<PdfDict, TaggedLink>()
  for (const [at, place] of draft.places.entries()) {
    const page = pages[at]?.entries ?? new Map()
    try {
      const annotations = findShown(page, copy)
      const onPage = copyLinks(annotations, copy, destinations)
      for (const { original, link } of onPage) links.set(original, { link, place: draft.target.add(link), page: place })
      const places = onPage.flatMap(({ original }) => links.get(original)?.place ?? [])
      if (places.length > 0) draft.links.set(at, places)
      draft.setPage(at, copyPage(page, annotations, copy))
      if (places.length > 0) draft.getPage(at)?.set('Annots', places)
      if (annotations.some((annotation) => annotation.has('OC'))) draft.incomparable.add(at)
    } catch (error) {
      copy.refuse(error, null)
    }
  }
  const layers = copyLayers(catalog, copy)
  if (layers !== undefined) draft.catalog.set('OCProperties', layers)
  const beside: Record<string, () => PdfValue | undefined> = {
    Outlines: () => copyOutline(catalog, copy, destinations),
    PageLabels: () => copyPageLabels(catalog, copy),
    StructTreeRoot: () => copyTags(catalog, copy, { pages: byNumber, draft, links }),
    Lang: () => copy.apply(catalog.get('Lang'), language),
  }
  for (const [key, make] of Object.entries(beside)) {
    const value = makeOrLeaveOut(make)
    if (value !== undefined) draft.catalog.set(key, value)
  }
  if (draft.catalog.has('StructTreeRoot')) draft.catalog.set('MarkInfo', new Map([['Marked', true]]))
  draft.lengths = await cleanStreams(copy)
  draft.droppedLinks = copy.droppedLinks
  return { draft, missing: draft.findMissing(copy.refused) }
}

function copyPage(page: PdfDict, annotations: PdfDict[], copy: Copier): PdfDict {
  const entries = pick(page, pageEntries, copy)
  drawOverlays(entries, copyOverlays(annotations, copy, Number(entries.get('Rotate') ?? 0)), copy)
  return entries
}

/** Pages can be read without what stands beside them. */
function makeOrLeaveOut(make: () => PdfValue | undefined): PdfValue | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PdfRefused) || error instanceof PdfTooCostly) throw error
    return undefined
  }
}
