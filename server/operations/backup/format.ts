import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { openDiskStorage } from '../../platform/storage/disk.ts'
import type { SpoolFolder } from '../../platform/storage/spool.ts'
import { type FileStorage, isStorageUnavailable } from '../../platform/storage/storage.ts'
import type { StoredFile } from './tables.queries.ts'

/** Numbers of the archive formats, which README.md describes. */
export const formats = {
  /** The rows, then the files. */
  whole: 1,
  /** Lists of the files that the pool beside it keeps for many archives, then the rows. */
  inFolder: 2,
}
export const manifestName = 'lectern-backup.json'
export const endName = 'end.json'

const sqlFile = z.object({ name: z.string(), sha256: z.string() })

/** The first member, which a restore needs before anything else. */
export const manifest = z.object({
  format: z.int(),
  lectern: z.string(),
  madeAt: z.iso.datetime(),
  /** The SQL files that created the tables. */
  schema: z.array(sqlFile).min(1),
  /** Sorted so that every row comes after the rows that it refers to. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  /** The expected number, only to show the progress of a restore. */
  files: z.int(),
})
export type Manifest = z.infer<typeof manifest>

/** The last member; without it the archive is truncated. */
export const end = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
  files: z.int(),
  /** Keys of files that the storage did not have, and of files whose hash was not the document's. */
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
})
export type End = z.infer<typeof end>

export const tableMember = (table: string, part: number) => `database/${table}/${String(part).padStart(6, '0')}.copy.gz`
export const listMember = (part: number) => `files/${String(part).padStart(6, '0')}.list.gz`
/** The name of a file in an archive, in a list and in the pool. */
export const fileName = (key: string, sha256: string) => `${key}-${sha256}`
export const fileMember = (key: string, sha256: string) => `files/${fileName(key, sha256)}`

export type NamedFile = { key: string; sha256: string }
export type MemberName =
  | { kind: 'manifest' | 'end' | 'list' }
  | { kind: 'table'; table: string }
  | ({ kind: 'file' } & NamedFile)

/** Returns null if the name is not that of a file. */
export function readFileName(name: string): NamedFile | null {
  const [, key, sha256] = /^([0-9a-f]{32})-([0-9a-f]{64})$/.exec(name) ?? []
  return key && sha256 ? { key, sha256 } : null
}

/** Returns null if no archive of this format has such a member. */
export function readMemberName(name: string): MemberName | null {
  if (name === manifestName) return { kind: 'manifest' }
  if (name === endName) return { kind: 'end' }
  const [, table] = /^database\/([a-z_]+)\/\d{6,}\.copy\.gz$/.exec(name) ?? []
  if (table) return { kind: 'table', table }
  if (/^files\/\d{6,}\.list\.gz$/.test(name)) return { kind: 'list' }
  const file = name.startsWith('files/') ? readFileName(name.slice('files/'.length)) : null
  return file && { kind: 'file', ...file }
}

/** The files of all backups in a folder, each stored once. The name contains the hash, so a file never changes. */
export const keptFolder = (folder: string) => join(folder, 'kept')

export const keptPath = (folder: string, { key, sha256 }: NamedFile) =>
  join(keptFolder(folder), key.slice(0, 2), fileName(key, sha256))

/** Opens the pool for reading; null if the folder has none. */
export async function findFilePool(folder: string): Promise<FileStorage | null> {
  const path = keptFolder(folder)
  return (await lstat(path).catch(() => null)) && openDiskStorage(path)
}

export async function hashContent(content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest()
}

/** Yields a file until its storage fails. */
export async function* untilUnreadable(content: Readable, onFault = () => {}): AsyncGenerator<Buffer> {
  try {
    yield* content as AsyncIterable<Buffer>
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error
    onFault()
  }
}

/** The pool for the files of a backup beside its archive. */
export type FilePool = { kept: FileStorage; incoming: SpoolFolder }

/**
 * Copies a file that is missing in the pool or has another size there. A file that cannot be read, or whose hash is not
 * the document's, is not copied.
 */
export async function addToPool({ kept, incoming }: FilePool, files: FileStorage, { key, sha256, bytes }: StoredFile) {
  const known = sha256 && fileName(key, sha256.toString('hex'))
  const keptBytes = known && (await kept.getSize(known))
  // A file that the storage has lost in the meantime is still intact in the pool.
  if (known && keptBytes !== null && keptBytes === (bytes ?? (await files.getSize(key)) ?? keptBytes)) {
    return { outcome: 'whole', name: known } as const
  }
  const content = await files.get(key)
  if (!content) return { outcome: 'missing', name: null } as const
  let isRead = true
  const readable = untilUnreadable(content, () => {
    isRead = false
  })
  const taken = await incoming.write(Readable.from(readable))
  if (!isRead || (sha256 && !taken.sha256.equals(sha256))) return { outcome: 'damaged', name: null } as const
  const name = fileName(key, taken.sha256.toString('hex'))
  await kept.put(name, taken)
  return { outcome: 'whole', name } as const
}
