import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openDiskStorage } from '../../platform/storage/disk.ts'
import type { SpoolFolder } from '../../platform/storage/spool.ts'
import { type FileStorage, isStorageUnavailable } from '../../platform/storage/storage.ts'
import { fileName, type NamedFile } from './format.ts'
import type { StoredFile } from './tables.queries.ts'

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
