import { hasPdfHeader } from '../pdfium/pdf-header.ts'
import { createPdfium, type Pdfium, type PdfiumDocument } from '../pdfium/pdfium.ts'
import { maxComparedPages, maxPages } from './limits.ts'
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
    const pdfium = await createPdfium()
    const original = readOriginal(pdfium, bytes)
    if (!original) return null
    const rewritten = await rewritePages(original.saved)
    return looksLike(original.look, rewritten, pdfium) ? rewritten : null
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

/** `saved`: the file as PDFium writes it. */
function readOriginal(pdfium: Pdfium, bytes: Uint8Array): { look: PageLook[]; saved: Uint8Array } | null {
  const document = pdfium.open(bytes)
  if (typeof document === 'string' || document.isEncrypted) return null
  if (document.pageCount < 1 || document.pageCount > maxPages) return null
  const look = readLook(document)
  const saved = document.save()
  document.close()
  return look && saved && { look, saved }
}

/** Width, height and, of the pages that are compared, how many objects are drawn. */
type PageLook = number[]

/** Null when a page cannot be opened. */
function readLook(document: PdfiumDocument): PageLook[] | null {
  const look: PageLook[] = []
  const step = Math.ceil(document.pageCount / maxComparedPages)
  for (let page = 0; page < document.pageCount; page++) {
    const size = document.measurePage(page)
    const count = page % step === 0 ? document.countPageObjects(page) : 0
    if (!size || count === null) return null
    look.push([...size, count])
  }
  return look
}

/** Nothing was lost: as many pages, of the same size, with as many objects on them. */
function looksLike(look: PageLook[], rewritten: Uint8Array, pdfium: Pdfium): boolean {
  const copy = pdfium.open(rewritten)
  return typeof copy !== 'string' && JSON.stringify(readLook(copy)) === JSON.stringify(look)
}
