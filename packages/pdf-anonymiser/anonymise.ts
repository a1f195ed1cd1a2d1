import { hasPdfHeader, type Pdfium, type PdfiumDocument, withPdfium } from '../pdfium/pdfium.ts'
import { choosePages, findChangedPages, type PageAppearance, readAppearance } from './compare-pages.ts'
import { copyDocument } from './copy-document.ts'
import { type AnonymiserLimits, anonymiserLimits } from './limits.ts'
import { OutputDocument } from './output-document.ts'
import { rasterisePages } from './rasterise/rasterise-pages.ts'
import { needsRasterising } from './rules/annotations.ts'
import { readBoxNumbers } from './rules/boxes.ts'
import { type BoxNumbers, Copier } from './rules/copier.ts'
import { containsName, type NameMatcher, readNames } from './rules/names.ts'
import { readPages } from './rules/pages.ts'
import { PdfFile } from './syntax/read.ts'
import { PdfLimitError, PdfRejectedError } from './syntax/values.ts'
import { PdfWriter } from './syntax/write.ts'

export { PdfRejectedError }

const maxCharactersRead = 100_000
const maxPagesRead = 200
/** The limit for comparing a page's characters one by one. A name on more pages than this is a header. */
const maxPagesNamed = 20

/**
 * `drawnPages` are the pages that are now images, counted from 1; `dropped` counts removed links and form values with a
 * name.
 */
export type AnonymousCopy = { bytes: Uint8Array; drawnPages: number[]; dropped: number }
export type AnonymousCopyOptions = {
  /** Names and single words that identify the author, in addition to those that the file itself contains. */
  names?: readonly string[]
  /**
   * Pages, counted from 1, whose invisible text names the author. They become images, and their text loses these words.
   */
  hiddenNamePages?: readonly number[]
  /** The resource limits. The default admits every file of its size that was not made to be costly. */
  limits?: AnonymiserLimits
}

/**
 * Makes a file with the pages of the given one and nothing else (README.md). Returns null for a file that is locked,
 * damaged or too costly. Hostile bytes can make it throw or never end, so run it in a process that can be killed.
 */
export async function anonymisePdf(bytes: Uint8Array, options?: AnonymousCopyOptions): Promise<AnonymousCopy | null> {
  try {
    return await makeAnonymousCopy(bytes, options)
  } catch (error) {
    if (error instanceof PdfRejectedError) return null
    throw error
  }
}

/** Works like `anonymisePdf`, but throws `PdfRejectedError` with the reason when no copy can be made. */
export async function makeAnonymousCopy(
  bytes: Uint8Array,
  { names = [], hiddenNamePages = [], limits = anonymiserLimits(bytes.length) }: AnonymousCopyOptions = {},
): Promise<AnonymousCopy> {
  if (!hasPdfHeader(bytes)) throw new PdfRejectedError('not a PDF')
  return withPdfium(limits.pdfiumMaxHeapBytes, (pdfium) => copyWith(pdfium, bytes, limits, names, hiddenNamePages))
}

async function copyWith(
  pdfium: Pdfium,
  bytes: Uint8Array,
  limits: AnonymiserLimits,
  names: readonly string[],
  hiddenNamePages: readonly number[],
): Promise<AnonymousCopy> {
  const original = openPdf(pdfium, bytes)
  if (original.isEncrypted) throw new PdfRejectedError('locked')
  if (original.pageCount < 1 || original.pageCount > limits.maxPages) throw new PdfRejectedError('number of pages')

  // The file's own author names are not matched here, because a typed value is drawn as part of the page.
  const sought = readNames([], names)
  const droppedFields = dropFields(original, sought)
  const hidden = [
    ...hiddenNamePages.map((page) => page - 1).filter((page) => page >= 0 && page < original.pageCount),
    ...findNamedOutside(original, sought),
  ]
  const boxNumbers = await readBoxNumbers(bytes, limits.maxTextBytes)
  const { output, missing } = await copyWhatCanBe(original, limits, boxNumbers, names)
  const drawn = new Set<number>()
  async function draw(document: PdfiumDocument, pages: number[]) {
    const nameless = new Map(hidden.map((page) => [page, sought]))
    for (const [page, entries] of await rasterisePages(document, pages, output.target, limits, nameless)) {
      output.setDrawnPage(page, entries)
      drawn.add(page)
    }
  }

  await draw(original, [...new Set([...missing, ...hidden])])
  const compared = choosePages(output, drawn, limits)
  const appearance = readAppearance(original, compared)
  original.close()
  const different = findChangedPages(appearance, readCopy(pdfium, output.toBytes(), compared))
  if (different.length > 0) {
    const again = openPdf(pdfium, bytes)
    if (droppedFields > 0) dropFields(again, sought)
    await draw(again, different)
    again.close()
  }
  const rewritten = output.toBytes()
  if (drawn.size > 0 && findChangedPages(appearance, readCopy(pdfium, rewritten, new Set())).length > 0)
    throw new PdfRejectedError('another size')
  const drawnPages = [...drawn].map((page) => page + 1).sort((one, other) => one - other)
  return { bytes: rewritten, drawnPages, dropped: output.droppedLinks + droppedFields }
}

/** Finds pages with a name outside their edges, where browsers do not read text. */
function findNamedOutside(document: PdfiumDocument, names: NameMatcher): number[] {
  if (names.anywhere.length + names.inWords.length === 0) return []
  const named: number[] = []
  for (let page = 0; page < Math.min(document.pageCount, maxPagesRead) && named.length < maxPagesNamed; page++) {
    if (containsName(document.readText(page, maxCharactersRead) ?? '', names)) named.push(page)
  }
  return named.filter((page) => containsName(readOutside(document, page), names))
}

function readOutside(document: PdfiumDocument, page: number): string {
  const [left, bottom, right, top] = document.placePage(page)?.box ?? [0, 0, 0, 0]
  return (document.readCharacters(page) ?? [])
    .filter(({ isGenerated, box }) => isGenerated || box[2] < left || box[3] < bottom || box[0] > right || box[1] > top)
    .map(({ codePoint }) => String.fromCodePoint(codePoint))
    .join('')
}

function dropFields(document: PdfiumDocument, names: NameMatcher): number {
  let dropped = 0
  if (!document.hasForm) return dropped
  for (let page = 0; page < document.pageCount; page++) {
    dropped += document.removeFields(page, (value) => containsName(value, names))
  }
  return dropped
}

function openPdf(pdfium: Pdfium, bytes: Uint8Array): PdfiumDocument {
  const document = pdfium.open(bytes)
  if (typeof document === 'string') throw new PdfRejectedError(document)
  return document
}

function readCopy(pdfium: Pdfium, bytes: Uint8Array, compared: ReadonlySet<number>): PageAppearance[] {
  const copy = openPdf(pdfium, bytes)
  try {
    return readAppearance(copy, compared)
  } finally {
    copy.close()
  }
}

/**
 * @returns `missing`: the pages that cannot be copied, which are all pages when the file's structure cannot be read.
 */
async function copyWhatCanBe(
  original: PdfiumDocument,
  limits: AnonymiserLimits,
  boxNumbers: BoxNumbers,
  names: readonly string[],
): Promise<{ output: OutputDocument; missing: number[] }> {
  try {
    const { output, missing } = await copyDocument(saveDrawn(original, limits), limits, boxNumbers, names)
    if (output.places.length === original.pageCount) return { output, missing }
  } catch (error) {
    if (!(error instanceof PdfRejectedError) || error instanceof PdfLimitError) throw error
  }
  const empty = new OutputDocument(original.pageCount)
  return { output: empty, missing: empty.findMissing(new Set()) }
}

/** Saves the file with PDFium, with an appearance for every annotation on its pages. */
function saveDrawn(original: PdfiumDocument, limits: AnonymiserLimits): Uint8Array {
  const saved = save(original, limits)
  const copy = new Copier(new PdfFile(saved), new PdfWriter(), limits)
  const { catalog, pages } = readPages(copy.source, limits.maxPages)
  const form = copy.source.resolve(catalog.get('AcroForm'))
  const isOutOfDate = form instanceof Map && copy.source.resolve(form.get('NeedAppearances')) === true
  const undrawn = pages.flatMap(({ entries }, at) => (needsRasterising(entries, copy, isOutOfDate) ? [at] : []))
  if (undrawn.length === 0) return saved
  original.drawAnnotations(undrawn)
  return save(original, limits)
}

function save(original: PdfiumDocument, limits: AnonymiserLimits): Uint8Array {
  const saved = original.save(limits.maxRewrittenBytes)
  if (!saved) throw new PdfLimitError('not saved')
  return saved
}
