import type { Inspection } from './inspect.ts'

/** What passes between the server, a process that reads PDFs and the thread in it. Files go by their paths. */

/** The command line of the process. `folder`: where all files lie that it may read and write. */
export type ProcessSettings = { folder: string; maxFileBytes: number; maxResidentBytes: number }

export type Task = { name: 'inspect'; path: string } | { name: 'anonymise'; path: string; target: string }

export type RewrittenFile = { bytes: number; sha256: string }

export type Answer =
  | { kind: 'ready' }
  | { kind: 'done'; result: Inspection | RewrittenFile | null }
  /** Of this file nothing can be said; the process goes on. */
  | { kind: 'failed'; reason: string }
  /** The last word of a process that ends itself. */
  | { kind: 'ended'; reason: string }

/** The kind of failure only: a message may quote the file. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}
