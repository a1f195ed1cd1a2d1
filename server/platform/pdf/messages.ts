import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { SpooledFile } from '../storage/storage.ts'
import type { Inspection } from './inspect.ts'
import type { OcrPage } from './ocr/recognise-page.ts'
import type { PdfText } from './read-text.ts'

/** Messages between the server, a PDF process and the thread in it. Files are passed by path. */

/** The command-line argument of the process. */
export type ProcessSettings = {
  /** Contains all files that the process may read and write. */
  folder: string
  maxFileBytes: number
  maxResidentBytes: number
  /** The niceness of the process, as in `nice`. */
  niceness?: number
  /** The processor time of one task: at a low priority the elapsed time means little. */
  maxCpuMs?: number
}

export type Task =
  | { name: 'inspect'; path: string }
  | { name: 'anonymise'; path: string; target: string; names: string[]; hiddenNamePages?: number[] }
  | { name: 'readText'; path: string; target: string }
  | { name: 'renderThumbnail'; path: string; targets: ThumbnailPaths }
  | { name: 'ocr'; path: string; index: number; languages: string[] }

export type ThumbnailPaths = { small: string; large: string }

/** A file that the process wrote. The server knows its path, and the hash is in hexadecimal. */
export type WrittenFile = { bytes: number; sha256: string }

export const toSpooledFile = (path: string, { bytes, sha256 }: WrittenFile): SpooledFile => ({
  path,
  bytes,
  sha256: Buffer.from(sha256, 'hex'),
})

/** `drawnPages` are the rasterised pages, counted from 1. */
export type AnonymisedFile = WrittenFile & { drawnPages: number[]; droppedLinks: number }
/** `target` contains the text in the format of `writeText`. */
export type TextRead = { kind: 'ok' }
/** `targets` contain the images. */
export type ThumbnailRendered = { kind: 'ok'; small: WrittenFile; large: WrittenFile }
export type PageRecognised = { kind: 'ok' } & OcrPage
export type OpenFailure = { kind: 'locked' | 'unreadable' }

export type Answer =
  | { kind: 'ready' }
  | {
      kind: 'done'
      result: Inspection | AnonymisedFile | TextRead | ThumbnailRendered | PageRecognised | OpenFailure | null
    }
  /** The file could not be processed; the process continues. */
  | { kind: 'failed'; reason: string }
  /** The last message of a process that ends itself. */
  | { kind: 'ended'; reason: string }

/** Returns the kind of failure only, because a message may quote the file. */
export function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}

/**
 * Passes a document's text from the PDF process to the server: one line per page, so that the server never parses
 * millions of characters without a pause.
 */
export async function writeText(path: string, { pages, ...about }: PdfText): Promise<void> {
  const lines = [about, ...pages].map((part) => `${JSON.stringify(part)}\n`)
  await writeFile(path, lines, { flag: 'wx', mode: 0o600 })
}

export async function readTextFile(path: string): Promise<PdfText> {
  const parts: unknown[] = []
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    parts.push(JSON.parse(line))
  }
  const [about, ...pages] = parts
  return { ...(about as Omit<PdfText, 'pages'>), pages: pages as string[] }
}
