import type { PDFOperatorList, PDFPageProxy } from 'pdfjs-dist/types/src/display/api.js'
import { pdfjs } from '../../../platform/pdf/pdfjs.ts'
import { type Author, createNameMatcher, type NameHit } from '../name-check/find-name.ts'
import type { FileAnalysis, NameScan } from '../upload-queue.ts'
import { hasBrokenStream } from './broken-stream.ts'
import { drawPage, drawThumbnail, type HitPlace, type PageText, placeHit, readPageText, withPdf } from './open-pdf.ts'

const lookLimitMs = 15_000
const readLimitMs = 20_000
const maxPagesRead = 200
/** Pages with the name that are drawn to check its visibility. A name on more pages is a header. */
const maxPagesCompared = 20
const excerptMargin = 40

const damageLimitMs = 5_000

/** The facts that a preview needs. `title` is the title in the metadata of the file. */
type PdfPreview = Pick<FileAnalysis, 'unreadable' | 'pageCount' | 'thumbnail'> & { title: unknown }

const nothing: PdfPreview = { unreadable: null, pageCount: null, title: null, thumbnail: null }

/** Never rejects, because the server decides about unreadable files. */
export async function readPdfPreview(content: ArrayBuffer): Promise<PdfPreview> {
  let glance = nothing
  try {
    await withPdf(content, lookLimitMs, async (pdf) => {
      const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
      glance = { ...nothing, pageCount: pdf.numPages, title: 'Title' in info ? info.Title : null }
      glance = { ...glance, thumbnail: await drawThumbnail(pdf) }
    })
  } catch (failure) {
    if (failure instanceof pdfjs.PasswordException) return { ...nothing, unreadable: 'locked' }
    if (failure instanceof pdfjs.InvalidPDFException) return { ...nothing, unreadable: 'broken' }
  }
  return glance
}

/**
 * Finds pages that cannot be shown: pages that pdf.js fails on, and empty pages in a file with broken data. Never
 * rejects; pages that exceed the time limit are omitted.
 */
export async function findDamagedPages(file: File): Promise<number[]> {
  const [failed, empty]: [number[], number[]] = [[], []]
  const content = await file.arrayBuffer()
  const endsAt = performance.now() + damageLimitMs
  await withPdf(content, damageLimitMs, async (pdf) => {
    for (let number = 1; number <= Math.min(pdf.numPages, maxPagesRead); number++) {
      try {
        const page = await pdf.getPage(number)
        const drawing = await page.getOperatorList()
        if (drawing.fnArray.length === 0) empty.push(number)
        else if (await hasBrokenPicture(page, drawing)) failed.push(number)
        page.cleanup()
      } catch {
        // After the time limit, a failure does not mean a damaged page.
        if (performance.now() >= endsAt) return
        failed.push(number)
      }
    }
  }).catch(() => {})
  if (empty.length > 0 && (await hasBrokenStream(new Uint8Array(await file.arrayBuffer())))) failed.push(...empty)
  return failed.sort((a, b) => a - b)
}

/** pdf.js stores null for an image that it cannot decode and leaves its place on the page blank. */
async function hasBrokenPicture(page: PDFPageProxy, { fnArray, argsArray }: PDFOperatorList): Promise<boolean> {
  const ids = argsArray.flatMap((args, at) => (fnArray[at] === pdfjs.OPS.paintImageXObject ? [String(args[0])] : []))
  const load = (id: string) =>
    new Promise((resolve) => (id.startsWith('g_') ? page.commonObjs : page.objs).get(id, resolve))
  return (await Promise.all(ids.map(load))).includes(null)
}

/** Searches the text of a PDF for the author's name. Never rejects; `pagesRead` shows how far it came. */
export async function findNames(content: ArrayBuffer, author: Author): Promise<NameScan> {
  const find = createNameMatcher(author)
  const finding: NameScan = { pages: [], pagesRead: 0, pageCount: null, hasText: false }
  try {
    await withPdf(content, readLimitMs, async (pdf) => {
      finding.pageCount = pdf.numPages
      for (let number = 1; number <= Math.min(pdf.numPages, maxPagesRead); number++) {
        const page = await pdf.getPage(number)
        const pageText = await readPageText(page)
        const { text } = pageText
        const hits = find(text)
        const isCompared = hits.length > 0 && finding.pages.length < maxPagesCompared
        const hidden = isCompared ? await findHiddenHits(page, pageText, hits).catch(() => []) : []
        page.cleanup()
        finding.pagesRead = number
        finding.hasText ||= text.trim() !== ''
        const [hit] = hits
        if (hit) {
          const isShown = hidden.length < hits.length
          finding.pages.push({ page: number, excerpt: excerptOf(text, hit), isShown, isHidden: hidden.length > 0 })
        }
      }
    })
  } catch {
    // `pagesRead` reports the incomplete result.
  }
  return finding
}

function excerptOf(text: string, { start, end }: { start: number; end: number }) {
  const clean = (part: string) => part.replace(/\s+/g, ' ')
  return {
    before: clean(text.slice(Math.max(0, start - excerptMargin), start)),
    name: clean(text.slice(start, end)),
    after: clean(text.slice(end, end + excerptMargin)),
  }
}

const box = { width: 880, height: 1240 }
/** A smaller difference, of 255, is not readable. */
const visibleContrast = 12

/**
 * Returns the hits on a page that are invisible for any reason: no ink, outside the page, clipped, covered, or in the
 * colour of the background. There the page looks the same when it is drawn without its text.
 */
async function findHiddenHits(page: PDFPageProxy, { pieces }: PageText, hits: NameHit[]): Promise<NameHit[]> {
  const { canvas, viewport } = await drawPage(page, box)
  const { canvas: blank } = await drawPage(page, box, (at, { fnArray }) => fnArray[at] !== pdfjs.OPS.showText)
  const [context, blankContext] = [canvas.getContext('2d'), blank.getContext('2d')]
  if (!context || !blankContext) return []
  return hits.filter((hit) =>
    placeHit(hit, pieces, viewport, context).every((place) => {
      const { x, y, width, height } = boundsOf(place, canvas)
      if (width <= 0 || height <= 0) return true
      const { data } = context.getImageData(x, y, width, height)
      const { data: without } = blankContext.getImageData(x, y, width, height)
      return data.every((value, at) => Math.abs(value - (without[at] ?? 0)) <= visibleContrast)
    }),
  )
}

/** Returns slightly fewer pixels than the name covers, because its neighbours may be visible. */
function boundsOf({ matrix, from, width, height }: HitPlace, canvas: HTMLCanvasElement) {
  const corners = [0.15, 0.85].flatMap((along) =>
    [0, 0.7].map((up) => matrix.transformPoint({ x: from + along * width, y: up * height })),
  )
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)))
  const x = within(Math.min(...corners.map((corner) => corner.x)), canvas.width)
  const y = within(Math.min(...corners.map((corner) => corner.y)), canvas.height)
  const right = within(Math.max(...corners.map((corner) => corner.x)), canvas.width)
  const bottom = within(Math.max(...corners.map((corner) => corner.y)), canvas.height)
  return { x, y, width: right - x, height: bottom - y }
}

const drawLimitMs = 15_000

/**
 * Draws a page and highlights every match of the author's name.
 * @returns the canvas and the vertical position of the first match: 0 is the top, 1 the bottom.
 */
export async function drawNamedPage(file: File, number: number, author: Author) {
  return withPdf(await file.arrayBuffer(), drawLimitMs, async (pdf) => {
    const page = await pdf.getPage(number)
    const { canvas, viewport } = await drawPage(page, box)
    const { text, pieces } = await readPageText(page)
    const context = canvas.getContext('2d')
    const tops: number[] = []
    for (const hit of createNameMatcher(author)(text)) {
      for (const place of context ? placeHit(hit, pieces, viewport, context) : []) {
        if (context) drawHighlight(context, place)
        tops.push(place.matrix.f / canvas.height)
      }
    }
    return { canvas, top: Math.min(1, ...tops) }
  })
}

function drawHighlight(context: CanvasRenderingContext2D, { matrix, from, width, height }: HitPlace): void {
  context.save()
  context.setTransform(matrix)
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = 'oklch(0.825 0.165 78 / 0.75)'
  context.fillRect(from - 3, -0.25 * height, width + 6, 1.3 * height)
  context.restore()
}
