import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { isPdfiumReady, type PageImage, type PdfiumDocument } from '../../../packages/pdfium/pdfium.ts'
import { collectGarbage } from './collect-garbage.ts'
import { inspectPdf, withDocument } from './inspect.ts'
import { pdfLimits } from './limits.ts'
import {
  type AnonymisedFile,
  type Answer,
  type OpenFailure,
  type PageRecognised,
  type PictureDrawn,
  type ProcessSettings,
  type Task,
  type TextRead,
  toErrorCode,
  writeText,
} from './messages.ts'
import { readPdfText } from './read-text.ts'

/**
 * The thread that reads PDFs, in a separate process (`process-main.ts`). Modules that many of these processes never
 * need are loaded by the first task that uses them: they are a third of the start time.
 */

const limits = pdfLimits((workerData as ProcessSettings).maxFileBytes)

async function perform(task: Task): Promise<Answer> {
  await setImmediate()
  // The memory of an unused PDFium stays until the next garbage collection, which may come late, so a few large files
  // in a row would accumulate. A collection before the next PDFium takes 4 ms.
  if (!isPdfiumReady()) collectGarbage()
  try {
    const bytes = new Uint8Array(await readFile(task.path))
    return { kind: 'done', result: await work(task, bytes) }
  } catch (error) {
    return { kind: 'failed', reason: toErrorCode(error) }
  }
}

function work(task: Task, bytes: Uint8Array) {
  switch (task.name) {
    case 'inspect':
      return inspectPdf(bytes, limits)
    case 'anonymise':
      return anonymise(bytes, task)
    case 'readText':
      return readText(bytes, task.target)
    case 'renderThumbnail':
      return writeThumbnail(bytes, task.target)
    case 'ocr':
      return recognise(bytes, task)
  }
}

async function anonymise(
  bytes: Uint8Array,
  { target, names, hiddenNamePages }: Extract<Task, { name: 'anonymise' }>,
): Promise<AnonymisedFile | null> {
  const { anonymisePdf } = await import('../../../packages/pdf-anonymiser/anonymise.ts')
  const copy = await anonymisePdf(bytes, { limits, names, hiddenNamePages })
  if (!copy) return null
  await writeFile(target, copy.bytes, { flag: 'wx', mode: 0o600 })
  const sha256 = createHash('sha256').update(copy.bytes).digest('hex')
  return { bytes: copy.bytes.length, sha256, drawnPages: copy.drawnPages, droppedLinks: copy.dropped }
}

async function readText(bytes: Uint8Array, target: string): Promise<TextRead | OpenFailure> {
  const text = await readPdfText(bytes, limits.readerMaxHeapBytes)
  if (typeof text === 'string') return { kind: text }
  await writeText(target, text)
  return { kind: 'ok' }
}

async function writeThumbnail(bytes: Uint8Array, target: string): Promise<PictureDrawn | OpenFailure> {
  const picture = await withDocument(bytes, limits.readerMaxHeapBytes, renderThumbnail)
  if (typeof picture === 'string') return { kind: picture }
  const { pixels, width, height } = picture
  await writeFile(target, pixels, { flag: 'wx', mode: 0o600 })
  return { kind: 'ok', width, height }
}

async function recognise(
  bytes: Uint8Array,
  task: Extract<Task, { name: 'ocr' }>,
): Promise<PageRecognised | OpenFailure> {
  const { ocrPage } = await import('./ocr/recognise-page.ts')
  const page = await ocrPage(bytes, task, limits.readerMaxHeapBytes)
  return typeof page === 'string' ? { kind: page } : { kind: 'ok', ...page }
}

const answer = (message: Answer) => parentPort?.postMessage(message)
parentPort?.on('message', async (task: Task) => answer(await perform(task)))
answer({ kind: 'ready' })

const pictureSize = { width: 640, maxRatio: 3 }
/** A small sample in which no stroke vanishes. */
const glanceSize = { width: 160, maxRatio: 3 }
/** After this many blank pages the search for content ends. */
const maxBlankPages = 5
/** A scan of an empty sheet is not of one colour alone. */
const maxNoise = 24

/** Renders the first page with content, or else the first. */
function renderThumbnail(document: PdfiumDocument): PageImage | 'unreadable' {
  for (let index = 0; index < Math.min(document.pageCount, maxBlankPages); index++) {
    const glance = document.renderImage(index, glanceSize)
    if (!glance || isBlank(glance)) continue
    const picture = document.renderImage(index, pictureSize)
    if (picture) return picture
  }
  return document.renderImage(0, pictureSize) ?? 'unreadable'
}

function isBlank({ pixels }: PageImage): boolean {
  for (let at = 0; at < pixels.length; at++) {
    if (at % 4 !== 3 && Math.abs((pixels[at] ?? 0) - (pixels[at % 4] ?? 0)) > maxNoise) return false
  }
  return true
}
