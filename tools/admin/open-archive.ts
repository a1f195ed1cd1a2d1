import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { findKept } from '../../server/backup/kept-files.ts'
import type { FileStorage } from '../../server/files/storage.ts'

/** A backup from a file, with what lies beside it, or from the standard input. */
export async function openArchive(file: string): Promise<{ input: Readable; kept: FileStorage | null }> {
  if (file === '-') return { input: process.stdin, kept: null }
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder. Name one of the archives in it.`)
  return { input: createReadStream(file, { highWaterMark: 2 ** 20 }), kept: await findKept(dirname(file)) }
}
