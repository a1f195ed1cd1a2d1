import { isDeepStrictEqual } from 'node:util'
import { hasPdfHeader } from '../pdfium/pdf-header.ts'
import { createPdfium } from '../pdfium/pdfium.ts'
import { type AnonymiserLimits, anonymiserLimits } from './limits.ts'
import { choosePages, readLook } from './look.ts'
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
 * A file with the pages of the given one and nothing else (README.md). Null for one that is locked, damaged, too costly
 * or not understood to the last object. May throw or never end on hostile bytes: run it where that does no harm.
 */
export async function anonymisePdf(
  bytes: Uint8Array,
  limits: AnonymiserLimits = anonymiserLimits(bytes.length),
): Promise<Uint8Array | null> {
  if (!hasPdfHeader(bytes)) return null
  try {
    const pdfium = await createPdfium(limits.pdfiumMaxHeapBytes)
    const original = pdfium.open(bytes)
    if (typeof original === 'string' || original.isEncrypted) return null
    if (original.pageCount < 1 || original.pageCount > limits.maxPages) return null
    const saved = original.save(limits.maxRewrittenBytes)
    if (!saved) return null
    const { rewritten, compared } = await rewritePages(saved, limits)
    const look = readLook(original, compared)
    original.close()
    const copy = pdfium.open(rewritten)
    if (!look || typeof copy === 'string') return null
    return isDeepStrictEqual(readLook(copy, compared), look) ? rewritten : null
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}

/**
 * @param saved a file as PDFium writes it.
 * @returns `compared`: the pages of which it is worth to see whether they still draw as much.
 */
async function rewritePages(
  saved: Uint8Array,
  limits: AnonymiserLimits,
): Promise<{ rewritten: Uint8Array; compared: Set<number> }> {
  const source = new SavedFile(saved)
  const target = new NewFile()
  const copy = new Copier(source, target, limits)
  const { catalog, pages } = readPages(source, limits.maxPages)

  const root = target.reserve()
  const tree = target.reserve()
  const places = pages.map(() => target.reserve())
  const byNumber = new Map(pages.flatMap(({ number }, at) => (places[at] ? [[number, places[at]]] : [])))
  const destinations = new Destinations(source, catalog, byNumber)
  const copies = pages.map((page) => {
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
    return entries
  })
  const layers = copyLayers(catalog, copy)
  const lengths = await cleanStreams(copy)

  for (const [at, place] of places.entries()) target.set(place, copies[at] ?? null)
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
  return { rewritten: target.toBytes(root), compared: choosePages(copies, target, lengths, limits) }
}
