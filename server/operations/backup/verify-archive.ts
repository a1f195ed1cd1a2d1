import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { untilUnreadable } from './file-pool.ts'
import { type End, fileName, formats, type Manifest, type NamedFile } from './format.ts'
import {
  invalidArchiveError,
  missingFilePoolError,
  RestoreError,
  readArchive,
  readEnd,
  readList,
  readManifest,
} from './read-archive.ts'
import type { Restored } from './restore-archive.ts'

type VerifyOptions = {
  /** The files beside the archive; null if there are none. */
  kept: FileStorage | null
  signal: AbortSignal
  onProgress(done: number, total: number): void
}

type VerifiedArchive = Restored & {
  /** The number of intact files. */
  whole: number
  /** Damaged files in the pool beside the archive. */
  corruptPoolFiles: NamedFile[]
}

const decompress = promisify(gunzip)

/**
 * Reads a backup to its end and compares rows and files with their hashes.
 * @returns the result that a restore would have, with more details.
 * @throws RestoreError if nothing could be restored.
 */
export async function verifyArchive(
  input: Readable,
  { kept, signal, onProgress }: VerifyOptions,
): Promise<VerifiedArchive> {
  let found: Manifest | null = null
  let ended: End | null = null
  let count = 0
  const rows = new Map<string, Hash>()
  const missing: string[] = []
  const damaged: NamedFile[] = []
  const compare = async ({ key, sha256 }: NamedFile, content: Readable | null) => {
    if (!content) missing.push(key)
    else if ((await hashOf(content)).digest('hex') !== sha256) damaged.push({ key, sha256 })
    onProgress(++count, found?.files ?? 0)
  }
  for await (const { content, ...member } of readArchive(input, signal)) {
    if (member.kind === 'manifest') found = await readManifest(content)
    else if (member.kind === 'table') await addRows(rows, member.table, content)
    else if (member.kind === 'file') await compare(member, content)
    else if (member.kind === 'list') {
      if (!kept) throw missingFilePoolError()
      for (const file of await readList(content)) {
        signal.throwIfAborted()
        await compare(file, await kept.get(fileName(file.key, file.sha256)))
      }
    } else ended = await readEnd(content)
  }
  if (!found || !ended || count !== ended.files) throw invalidArchiveError()
  for (const { name, sha256 } of ended.tables) {
    const hash = rows.get(name) ?? createHash('sha256')
    if (hash.digest('hex') !== sha256)
      throw new RestoreError(`The backup is damaged: rows of ${name} don’t match their hash.`)
  }
  return {
    madeAt: found.madeAt,
    files: count - missing.length,
    missing: [...ended.missing, ...missing],
    damaged: [...new Set([...ended.damaged, ...damaged.map(({ key }) => key)])],
    whole: count - missing.length - damaged.length,
    corruptPoolFiles: found.format === formats.inFolder ? damaged : [],
  }
}

async function addRows(rows: Map<string, Hash>, table: string, content: Readable): Promise<void> {
  const text = await decompress(await buffer(content)).catch(() => {
    throw new RestoreError(`The backup is damaged: rows of ${table} can’t be read.`)
  })
  rows.set(table, (rows.get(table) ?? createHash('sha256')).update(text))
}

async function hashOf(content: Readable): Promise<Hash> {
  const hash = createHash('sha256')
  for await (const chunk of Readable.from(untilUnreadable(content))) hash.update(chunk)
  return hash
}
