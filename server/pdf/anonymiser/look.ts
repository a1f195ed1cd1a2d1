import type { PdfiumDocument } from '../pdfium/pdfium.ts'
import type { AnonymiserLimits } from './limits.ts'
import { type PdfDict, PdfRef, PdfStream, type PdfValue } from './syntax/values.ts'
import type { NewFile } from './syntax/write.ts'

/** Width, height and, of the pages that are compared, how many objects are drawn. */
type PageLook = number[]

/** Null when a page cannot be opened. */
export function readLook(document: PdfiumDocument, compared: ReadonlySet<number>): PageLook[] | null {
  const look: PageLook[] = []
  for (let page = 0; page < document.pageCount; page++) {
    const size = document.measurePage(page)
    const count = compared.has(page) ? document.countPageObjects(page) : 0
    if (!size || count === null) return null
    look.push([...size, count])
  }
  return look
}

/**
 * The pages to compare: spread over the file, each drawing once, as far as the limits reach. PDFium would read what
 * pages share anew for each of them.
 * @param lengths of page descriptions and forms, unpacked.
 */
export function choosePages(
  pages: PdfDict[],
  target: NewFile,
  lengths: ReadonlyMap<PdfStream, number>,
  limits: AnonymiserLimits,
): Set<number> {
  const measure = createMeasure(target, lengths)
  const step = Math.ceil(pages.length / limits.maxComparedPages)
  const seen = new Set<string>()
  const chosen = new Set<number>()
  let left = limits.maxComparedBytes
  for (let at = 0; at < pages.length; at += step) {
    const contents = pages[at]?.get('Contents')
    const resources = pages[at]?.get('Resources')
    const drawing = `${numberOf(contents)} ${numberOf(resources) ?? at}`
    const bytes = measure(contents) + measure(resources)
    if (seen.has(drawing) || bytes > left) continue
    left -= bytes
    seen.add(drawing)
    chosen.add(at)
  }
  return chosen
}

const numberOf = (value: PdfValue | undefined) =>
  value instanceof PdfRef ? value.number : value === undefined ? 'none' : undefined

/** How much there is to read behind a description or behind resources, each form with what it may draw in turn. */
function createMeasure(target: NewFile, lengths: ReadonlyMap<PdfStream, number>) {
  const known = new Map<PdfValue, number>()
  const resolve = (value: PdfValue | undefined): PdfValue =>
    value instanceof PdfRef ? target.get(value) : (value ?? null)
  return function measure(value: PdfValue | undefined): number {
    const found = resolve(value)
    const before = known.get(found)
    if (before !== undefined) return before
    // A form that leads to itself counts once.
    known.set(found, 0)
    let bytes = 0
    if (found instanceof PdfStream) bytes = (lengths.get(found) ?? 0) + measure(found.dict.get('Resources'))
    else if (found instanceof Map) {
      const xObjects = resolve(found.get('XObject'))
      if (xObjects instanceof Map) for (const xObject of xObjects.values()) bytes += measure(xObject)
    }
    known.set(found, bytes)
    return bytes
  }
}
