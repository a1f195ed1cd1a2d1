import type { AnonymiserLimits } from './limits.ts'
import { OutputDocument } from './output-document.ts'
import { copyOverlays, drawOverlays, findShown } from './rules/annotations.ts'
import { findAuthors } from './rules/auxiliary-text.ts'
import { pick } from './rules/basic.ts'
import { type BoxNumbers, Copier } from './rules/copier.ts'
import { Destinations } from './rules/destinations.ts'
import { pageEntries } from './rules/graphics.ts'
import { copyLayers } from './rules/layers.ts'
import { copyLinks } from './rules/links.ts'
import { language } from './rules/marked-content.ts'
import { readNames } from './rules/names.ts'
import { copyOutline, copyPageLabels } from './rules/outline.ts'
import { readPages } from './rules/pages.ts'
import { copyTags, type TaggedLink } from './rules/structure.ts'
import { cleanStreams } from './streams/clean.ts'
import { PdfFile } from './syntax/read.ts'
import { type PdfDict, PdfLimitError, PdfRejectedError, type PdfValue } from './syntax/values.ts'

/**
 * @param saved a file that PDFium wrote.
 * @returns `missing`: pages with content that no rule allows.
 */
export async function copyDocument(
  saved: Uint8Array,
  limits: AnonymiserLimits,
  boxNumbers: BoxNumbers,
  names: readonly string[],
): Promise<{ output: OutputDocument; missing: number[] }> {
  const source = new PdfFile(saved)
  const { catalog, pages } = readPages(source, limits.maxPages)
  const output = new OutputDocument(pages.length)
  const copy = new Copier(source, output.target, limits, { boxNumbers, names: readNames(findAuthors(source), names) })

  const byNumber = new Map(pages.flatMap(({ number }, at) => (output.places[at] ? [[number, output.places[at]]] : [])))
  const destinations = new Destinations(source, catalog, byNumber)
  const links = new Map<PdfDict, TaggedLink>()
  for (const [at, place] of output.places.entries()) {
    const page = pages[at]?.entries ?? new Map()
    try {
      const annotations = findShown(page, copy)
      const onPage = copyLinks(annotations, copy, destinations)
      for (const { original, link } of onPage)
        links.set(original, { link, place: output.target.add(link), page: place })
      const places = onPage.flatMap(({ original }) => links.get(original)?.place ?? [])
      if (places.length > 0) output.links.set(at, places)
      output.setPage(at, copyPage(page, annotations, copy))
      if (places.length > 0) output.getPage(at)?.set('Annots', places)
      if (annotations.some((annotation) => annotation.has('OC'))) output.incomparable.add(at)
    } catch (error) {
      copy.refuse(error, null)
    }
  }
  const layers = copyLayers(catalog, copy)
  if (layers !== undefined) output.catalog.set('OCProperties', layers)
  const beside: Record<string, () => PdfValue | undefined> = {
    Outlines: () => copyOutline(catalog, copy, destinations),
    PageLabels: () => copyPageLabels(catalog, copy),
    StructTreeRoot: () => copyTags(catalog, copy, { pages: byNumber, output, links }),
    Lang: () => copy.apply(catalog.get('Lang'), language),
  }
  for (const [key, make] of Object.entries(beside)) {
    const value = makeOrLeaveOut(make)
    if (value !== undefined) output.catalog.set(key, value)
  }
  if (output.catalog.has('StructTreeRoot')) output.catalog.set('MarkInfo', new Map([['Marked', true]]))
  output.lengths = await cleanStreams(copy)
  output.droppedLinks = copy.droppedLinks
  return { output, missing: output.findMissing(copy.refused) }
}

function copyPage(page: PdfDict, annotations: PdfDict[], copy: Copier): PdfDict {
  const entries = pick(page, pageEntries, copy)
  drawOverlays(entries, copyOverlays(annotations, copy, Number(entries.get('Rotate') ?? 0)), copy)
  return entries
}

/** Pages can be read without the bookmarks, labels and tags, so those are left out when they are rejected. */
function makeOrLeaveOut(make: () => PdfValue | undefined): PdfValue | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PdfRejectedError) || error instanceof PdfLimitError) throw error
    return undefined
  }
}
