import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { isPdfiumReady } from '../../../packages/pdfium/pdfium.ts'
import { collectGarbage } from './collect-garbage.ts'
import { inspectPdf } from './inspect.ts'
import { pdfLimits } from './limits.ts'
import {
  type AnonymisedFile,
  type Answer,
  type OpenFailure,
  type PageRecognised,
  type ProcessSettings,
  type Task,
  type TextRead,
  type ThumbnailPaths,
  type ThumbnailRendered,
  toErrorCode,
  type WrittenFile,
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
      return renderThumbnail(bytes, task.targets)
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
  return { ...(await write(target, copy.bytes)), drawnPages: copy.drawnPages, droppedLinks: copy.dropped }
}

async function readText(bytes: Uint8Array, target: string): Promise<TextRead | OpenFailure> {
  const text = await readPdfText(bytes, limits.readerMaxHeapBytes)
  if (typeof text === 'string') return { kind: text }
  await writeText(target, text)
  return { kind: 'ok' }
}

async function renderThumbnail(bytes: Uint8Array, targets: ThumbnailPaths): Promise<ThumbnailRendered | OpenFailure> {
  const thumbnail = await import('./thumbnail.ts')
  const drawn = await thumbnail.renderThumbnail(bytes, limits.readerMaxHeapBytes)
  if (typeof drawn === 'string') return { kind: drawn }
  return { kind: 'ok', small: await write(targets.small, drawn.small), large: await write(targets.large, drawn.large) }
}

async function recognise(
  bytes: Uint8Array,
  task: Extract<Task, { name: 'ocr' }>,
): Promise<PageRecognised | OpenFailure> {
  const { ocrPage } = await import('./ocr/recognise-page.ts')
  const page = await ocrPage(bytes, task, limits.readerMaxHeapBytes)
  return typeof page === 'string' ? { kind: page } : { kind: 'ok', ...page }
}

async function write(path: string, bytes: Uint8Array): Promise<WrittenFile> {
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const answer = (message: Answer) => parentPort?.postMessage(message)
parentPort?.on('message', async (task: Task) => answer(await perform(task)))
answer({ kind: 'ready' })
