import { isDeepStrictEqual } from 'node:util'
import type { PdfiumDocument } from '../pdfium/pdfium.ts'
import type { AnonymiserLimits } from './limits.ts'
import type { OutputDocument } from './output-document.ts'
import { compareSamples, type PageSample, samplePage } from './page-sample.ts'
import { PdfRef, PdfRejectedError, PdfStream, type PdfValue } from './syntax/values.ts'

/** `size` is `[width, height]` in points; `sample` is set only for the pages that are compared. */
export type PageAppearance = { size: [number, number] | null; sample: PageSample | null }

/** An A4 page at 50 pixels per inch. */
const maxSamplePixels = 250_000

export function readAppearance(document: PdfiumDocument, compared: ReadonlySet<number>): PageAppearance[] {
  return Array.from({ length: document.pageCount }, (_, page) => {
    const size = document.measurePage(page)
    if (compared.has(page)) document.removeAnnotations(page, ['signatures'])
    return { size, sample: size && compared.has(page) ? samplePage(document, page, size, maxSamplePixels) : null }
  })
}

/**
 * Finds the pages that have another size or clearly look different. Throws `PdfRejectedError` when the page counts
 * differ.
 */
export function findChangedPages(before: PageAppearance[], after: PageAppearance[]): number[] {
  if (before.length !== after.length) throw new PdfRejectedError('another number of pages')
  return before.flatMap((page, at) => {
    const other = after[at]
    const isSameSize = isDeepStrictEqual(page.size, other?.size)
    const looksSame = !page.sample || !other?.sample || compareSamples(page.sample, other.sample) !== 'clearly'
    return isSameSize && looksSame ? [] : [at]
  })
}

/**
 * Chooses the pages to compare: spread over the file, each drawing only once, within the limits. PDFium would parse
 * shared content again for each page.
 */
export function choosePages(output: OutputDocument, drawn: ReadonlySet<number>, limits: AnonymiserLimits): Set<number> {
  const measure = createMeasure(output)
  const step = Math.ceil(output.places.length / limits.maxComparedPages)
  const seen = new Set<string>()
  const chosen = new Set<number>()
  let left = limits.maxComparedBytes
  for (let at = 0; at < output.places.length; at += step) {
    if (drawn.has(at) || output.incomparable.has(at)) continue
    const page = output.getPage(at)
    const [contents, resources] = [page?.get('Contents'), page?.get('Resources')]
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

/** PDFium needs a fifth of the time for the pixels of an image that it needs for as many bytes of instructions. */
function measurePixels({ dict }: PdfStream): number {
  const [width, height] = [dict.get('Width'), dict.get('Height')]
  return typeof width === 'number' && typeof height === 'number' ? (width * height) / 5 : 0
}

/** Estimates how much PDFium reads for a content stream or for resources, including nested forms. */
function createMeasure({ target, lengths }: OutputDocument) {
  const known = new Map<PdfValue, number>()
  return function measure(value: PdfValue | undefined): number {
    const found = target.resolve(value)
    const before = known.get(found)
    if (before !== undefined) return before
    // A form that refers to itself counts only once.
    known.set(found, 0)
    let bytes = 0
    if (found instanceof PdfStream)
      bytes = (lengths.get(found) ?? measurePixels(found)) + measure(found.dict.get('Resources'))
    else if (Array.isArray(found)) for (const piece of found) bytes += measure(piece)
    else if (found instanceof Map) {
      const xObjects = target.resolve(found.get('XObject'))
      if (xObjects instanceof Map) for (const xObject of xObjects.values()) bytes += measure(xObject)
    }
    known.set(found, bytes)
    return bytes
  }
}
