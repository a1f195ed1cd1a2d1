import { hasPdfHeader } from '../pdfium/pdf-header.ts'
import { type Pdfium, type PdfiumDocument, withPdfium } from '../pdfium/pdfium.ts'
import { choosePages, findDifferent, type PageLook, readLook } from './compare-pages.ts'
import { copyDocument } from './copy-document.ts'
import { type AnonymiserLimits, anonymiserLimits } from './limits.ts'
import { Draft } from './output-document.ts'
import { drawPages } from './rasterise/rasterise-pages.ts'
import { needsDrawing } from './rules/annotations.ts'
import { readBoxNumbers } from './rules/boxes.ts'
import { type BoxNumbers, Copier } from './rules/copier.ts'
import { holdsName, readNames, type SoughtNames } from './rules/names.ts'
import { readPages } from './rules/pages.ts'
import { SavedFile } from './syntax/read.ts'
import { PdfRefused, PdfTooCostly } from './syntax/values.ts'
import { NewFile } from './syntax/write.ts'

const maxCharactersRead = 100_000
const maxPagesRead = 200
/** Letter by letter. A name on more pages is a header. */
const maxPagesNamed = 20

/** `drawnPages`: which pages are pictures now, counted from 1. `dropped`: how many links and form values held a name. */
export type AnonymousCopy = { bytes: Uint8Array; drawnPages: number[]; dropped: number }
/**
 * `names`: what names the author, apart from what the file itself says; words and names of several words.
 * `hiddenNamePages`: pages, counted from 1, whose invisible text names the author. They become pictures, and their text loses
 * these words.
 */
export type AnonymousCopyOptions = { names?: readonly string[]; hiddenNamePages?: readonly number[] }

/**
 * A file with the pages of the given one and nothing else (README.md). Null for one that is locked, damaged or too
 * costly. May throw or never end on hostile bytes: run it where that does no harm.
 */
export async function anonymisePdf(
  bytes: Uint8Array,
  limits: AnonymiserLimits = anonymiserLimits(bytes.length),
  options?: AnonymousCopyOptions,
): Promise<AnonymousCopy | null> {
  try {
    return await makeAnonymousCopy(bytes, limits, options)
  } catch (error) {
    if (error instanceof PdfRefused) return null
    throw error
  }
}

/** As above. Raises `PdfRefused`, with the reason, where there is no copy. */
export async function makeAnonymousCopy(
  bytes: Uint8Array,
  limits: AnonymiserLimits,
  { names = [], hiddenNamePages = [] }: AnonymousCopyOptions = {},
): Promise<AnonymousCopy> {
  if (!hasPdfHeader(bytes)) throw new PdfRefused('no header')
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
  if (original.isEncrypted) throw new PdfRefused('locked')
  if (original.pageCount < 1 || original.pageCount > limits.maxPages) throw new PdfRefused('number of pages')

  // Beside what the file's author is called: a typed name is drawn with the page.
  const sought = readNames([], names)
  const droppedFields = dropFields(original, sought)
  const hidden = [
    ...hiddenNamePages.map((page) => page - 1).filter((page) => page < original.pageCount),
    ...findNamedOutside(original, sought),
  ]
  const boxNumbers = await readBoxNumbers(bytes, limits.maxTextBytes)
  const { draft, missing } = await copyWhatCanBe(original, limits, boxNumbers, names)
  const drawn = new Set<number>()
  async function draw(document: PdfiumDocument, pages: number[]) {
    const nameless = new Map(hidden.map((page) => [page, sought]))
    for (const [page, entries] of await drawPages(document, pages, draft.target, limits, nameless)) {
      draft.setDrawnPage(page, entries)
      drawn.add(page)
    }
  }

  await draw(original, [...new Set([...missing, ...hidden])])
  const compared = choosePages(draft, drawn, limits)
  const look = readLook(original, compared)
  original.close()
  const different = findDifferent(look, readCopy(pdfium, draft.toBytes(), compared))
  if (different.length > 0) {
    const again = openPdf(pdfium, bytes)
    if (droppedFields > 0) dropFields(again, sought)
    await draw(again, different)
    again.close()
  }
  const rewritten = draft.toBytes()
  if (drawn.size > 0 && findDifferent(look, readCopy(pdfium, rewritten, new Set())).length > 0)
    throw new PdfRefused('another size')
  const drawnPages = [...drawn].map((page) => page + 1).sort((one, other) => one - other)
  return { bytes: rewritten, drawnPages, dropped: draft.droppedLinks + droppedFields }
}

/** Pages outside of whose edges a name is written, which browsers do not read. */
function findNamedOutside(document: PdfiumDocument, names: SoughtNames): number[] {
  const named: number[] = []
  for (let page = 0; page < Math.min(document.pageCount, maxPagesRead) && named.length < maxPagesNamed; page++) {
    if (holdsName(document.readText(page, maxCharactersRead) ?? '', names)) named.push(page)
  }
  return named.filter((page) => holdsName(readOutside(document, page), names))
}

function readOutside(document: PdfiumDocument, page: number): string {
  const [left, bottom, right, top] = document.placePage(page)?.box ?? [0, 0, 0, 0]
  return (document.readCharacters(page) ?? [])
    .filter(({ isGenerated, box }) => isGenerated || box[2] < left || box[3] < bottom || box[0] > right || box[1] > top)
    .map(({ codePoint }) => String.fromCodePoint(codePoint))
    .join('')
}

function dropFields(document: PdfiumDocument, names: SoughtNames): number {
  let dropped = 0
  if (!document.hasForm) return dropped
  for (let page = 0; page < document.pageCount; page++) {
    dropped += document.removeFields(page, (value) => holdsName(value, names))
  }
  return dropped
}

function openPdf(pdfium: Pdfium, bytes: Uint8Array): PdfiumDocument {
  const document = pdfium.open(bytes)
  if (typeof document === 'string') throw new PdfRefused(document)
  return document
}

function readCopy(pdfium: Pdfium, bytes: Uint8Array, compared: ReadonlySet<number>): PageLook[] {
  const copy = openPdf(pdfium, bytes)
  try {
    return readLook(copy, compared)
  } finally {
    copy.close()
  }
}

/** @returns `missing`: the pages that cannot be copied. All of them where the file's structure cannot be read. */
async function copyWhatCanBe(
  original: PdfiumDocument,
  limits: AnonymiserLimits,
  boxNumbers: BoxNumbers,
  names: readonly string[],
): Promise<{ draft: Draft; missing: number[] }> {
  try {
    const { draft, missing } = await copyDocument(saveDrawn(original, limits), limits, boxNumbers, names)
    if (draft.places.length === original.pageCount) return { draft, missing }
  } catch (error) {
    if (!(error instanceof PdfRefused) || error instanceof PdfTooCostly) throw error
  }
  const empty = new Draft(original.pageCount)
  return { draft: empty, missing: empty.findMissing(new Set()) }
}

/** The file as PDFium writes it, with a picture of everything that lies on its pages. */
function saveDrawn(original: PdfiumDocument, limits: AnonymiserLimits): Uint8Array {
  const saved = save(original, limits)
  const copy = new Copier(new SavedFile(saved), new NewFile(), limits)
  const { catalog, pages } = readPages(copy.source, limits.maxPages)
  const form = copy.source.resolve(catalog.get('AcroForm'))
  const isOutOfDate = form instanceof Map && copy.source.resolve(form.get('NeedAppearances')) === true
  const undrawn = pages.flatMap(({ entries }, at) => (needsDrawing(entries, copy, isOutOfDate) ? [at] : []))
  if (undrawn.length === 0) return saved
  original.drawAnnotations(undrawn)
  return save(original, limits)
}

function save(original: PdfiumDocument, limits: AnonymiserLimits): Uint8Array {
  const saved = original.save(limits.maxRewrittenBytes)
  if (!saved) throw new PdfTooCostly('not saved')
  return saved
}
