import type { Inspection } from './inspect.ts'
import type { OcrPage } from './ocr/recognise-page.ts'

/** What passes between the server, a process that reads PDFs and the thread in it. Files go by their paths. */

/** The command line of the process. */
export type ProcessSettings = {
  /** Where all files lie that it may read and write. */
  folder: string
  maxFileBytes: number
  maxResidentBytes: number
  /** How much it stands back. */
  niceness?: number
  /** What one task may take of the processors: where everybody else goes first, the clock says little. */
  maxCpuMs?: number
}

export type Task =
  | { name: 'inspect'; path: string }
  | { name: 'anonymise'; path: string; target: string; names: string[]; hiddenNamePages?: number[] }
  | { name: 'readText' | 'drawPicture'; path: string; target: string }
  | { name: 'recognise'; path: string; index: number; languages: string[] }

/** `drawnPages`: which pages became pictures, counted from 1. */
export type AnonymisedFile = { bytes: number; sha256: string; drawnPages: number[]; droppedLinks: number }
/** `target` holds what the file says, as `text-file.ts` reads it. */
export type TextRead = { kind: 'ok' }
/** `target` holds the pixels, four bytes each. */
export type PictureDrawn = { kind: 'ok'; width: number; height: number }
export type PageRecognised = { kind: 'ok' } & OcrPage
export type OpenFailure = { kind: 'locked' | 'unreadable' }

export type Answer =
  | { kind: 'ready' }
  | {
      kind: 'done'
      result: Inspection | AnonymisedFile | TextRead | PictureDrawn | PageRecognised | OpenFailure | null
    }
  /** Of this file nothing can be said; the process goes on. */
  | { kind: 'failed'; reason: string }
  /** The last word of a process that ends itself. */
  | { kind: 'ended'; reason: string }

/** The kind of failure only: a message may quote the file. */
export function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}
