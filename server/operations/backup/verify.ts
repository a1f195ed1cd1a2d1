import { createHash } from 'node:crypto'
import type { Db } from '../../platform/db/pool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { isStorageUnavailable } from '../../platform/storage/storage-unavailable.ts'
import {
  countKnownFiles,
  isReferenced,
  type KnownFile,
  listExports,
  listKnownFiles,
  listUnreferencedKeys,
} from './verify.queries.ts'

/** A file of a note or of its thumbnail. */
type NotesFile = { key: string; noteId: string | null }
export type Verified = {
  files: number
  /** Files that do not exist. */
  missing: NotesFile[]
  /** Files that differ from their hash or cannot be read. */
  damaged: NotesFile[]
  /** Files that belong to nothing. */
  orphans: string[]
}

type VerifyOptions = {
  db: Db
  files: FileStorage
  signal: AbortSignal
  onProgress(done: number, total: number): void
}

const batchSize = 500

/** Compares every file with its hash and changes nothing. Files added or deleted in the meantime are not reported. */
export async function verifyFiles({ db, files, signal, onProgress }: VerifyOptions): Promise<Verified> {
  const found: Verified = { files: 0, missing: [], damaged: [], orphans: await findOrphans(db, files, signal) }
  const total = await countKnownFiles(db)
  const compare = async (known: KnownFile[]) => {
    for (const file of known) {
      signal.throwIfAborted()
      const outcome = await verifyFile(files, file)
      if (outcome !== 'whole' && (await isReferenced(db, file.key))) {
        found[outcome].push({ key: file.key, noteId: file.noteId })
      }
      onProgress(Math.min(++found.files, total), total)
    }
  }
  await compare(await listExports(db))
  for (let after: string | null = null; ; ) {
    const page = await listKnownFiles(db, after, batchSize)
    await compare(page.files)
    after = page.last
    if (after === null) return found
  }
}

/** For a file without a hash, checks only that it exists and can be read. */
async function verifyFile(files: FileStorage, { key, sha256 }: KnownFile): Promise<'whole' | 'missing' | 'damaged'> {
  try {
    const stream = await files.get(key)
    if (!stream) return 'missing'
    const hash = createHash('sha256')
    for await (const chunk of stream) hash.update(chunk)
    return sha256 === null || hash.digest().equals(sha256) ? 'whole' : 'damaged'
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error
    // The file is damaged only if the storage itself works; otherwise this throws.
    await files.check()
    return 'damaged'
  }
}

/** A listed file that is unknown may just have been deleted, so it is checked again. */
async function findOrphans(db: Db, files: FileStorage, signal: AbortSignal): Promise<string[]> {
  const orphans: string[] = []
  let keys: string[] = []
  const addUnknown = async () => {
    for (const key of await listUnreferencedKeys(db, keys)) if ((await files.getSize(key)) !== null) orphans.push(key)
    keys = []
  }
  for await (const key of files.list()) {
    signal.throwIfAborted()
    keys.push(key)
    if (keys.length === batchSize) await addUnknown()
  }
  await addUnknown()
  return orphans
}
