import { hasPdfHeader } from './inspect.ts'
import { maxComparedPages, maxPages } from './limits.ts'
import { openPdf, type PdfiumDocument } from './pdfium.ts'
import { copyAnnotations } from './rules/annotations.ts'
import { pick } from './rules/basic.ts'
import { Copier } from './rules/copier.ts'
import { Destinations } from './rules/destinations.ts'
import { pageEntries } from './rules/graphics.ts'
import { copyLayers } from './rules/layers.ts'
import { readPages } from './rules/pages.ts'
import { cleanStreams } from './streams/clean.ts'
import { SavedFile } from './syntax/read.ts'
import { type PdfDict, PdfName, PdfRefused, type PdfValue } from './syntax/values.ts'
import { NewFile } from './syntax/write.ts'

/**
 * A file with the pages of the given one and nothing else (docs/decisions/0005-pdf-inspection.md). Null for one that
 * is locked, damaged or not understood to the last object. May throw or never end on hostile bytes: run it in a worker.
 */
export async function anonymisePdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (!hasPdfHeader(bytes)) return null
  try {
    const original = await openPdf(bytes)
    if (typeof original === 'string' || original.isEncrypted) return null
    if (original.pageCount < 1 || original.pageCount > maxPages) return null
    const saved = original.save()
    const rewritten = saved && (await rewritePages(saved))
    return rewritten && (await showsTheSame(original, rewritten)) ? rewritten : null
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}

/** @param saved a file as PDFium writes it. */
async function rewritePages(saved: Uint8Array): Promise<Uint8Array> {
  const source = new SavedFile(saved)
  const target = new NewFile()
  const copy = new Copier(source, target)
  const { catalog, pages } = readPages(source)

  const root = target.reserve()
  const tree = target.reserve()
  const places = pages.map(() => target.reserve())
  const byNumber = new Map(pages.flatMap(({ number }, at) => (places[at] ? [[number, places[at]]] : [])))
  const destinations = new Destinations(source, catalog, byNumber)
  for (const [at, page] of pages.entries()) {
    const place = places[at]
    if (!place) continue
    const entries: PdfDict = new Map<string, PdfValue>([
      ['Type', new PdfName('Page')],
      ['Parent', tree],
      ...pick(page.entries, pageEntries, copy),
    ])
    const annotations = copyAnnotations(page.entries, copy, destinations)
    if (annotations.length > 0)
      entries.set(
        'Annots',
        annotations.map((annotation) => target.add(annotation)),
      )
    target.set(place, entries)
  }
  const layers = copyLayers(catalog, copy)
  await cleanStreams(copy)

  target.set(
    tree,
    new Map<string, PdfValue>([
      ['Type', new PdfName('Pages')],
      ['Kids', places],
      ['Count', places.length],
    ]),
  )
  const entries: PdfDict = new Map<string, PdfValue>([
    ['Type', new PdfName('Catalog')],
    ['Pages', tree],
  ])
  if (layers !== undefined) entries.set('OCProperties', layers)
  target.set(root, entries)
  return target.toBytes(root)
}

/** Nothing was lost: as many pages, each of the same size, and as many objects drawn on those that are compared. */
async function showsTheSame(original: PdfiumDocument, rewritten: Uint8Array): Promise<boolean> {
  const copy = await openPdf(rewritten)
  if (typeof copy === 'string' || copy.pageCount !== original.pageCount) return false
  const step = Math.ceil(original.pageCount / maxComparedPages)
  for (let page = 0; page < original.pageCount; page++) {
    const size = original.measurePage(page)
    if (!size || String(size) !== String(copy.measurePage(page))) return false
    if (page % step !== 0) continue
    const count = original.countPageObjects(page)
    if (count === null || count !== copy.countPageObjects(page)) return false
  }
  return true
}
