import { sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import { type FileStorage, isStorageUnavailable } from '../../platform/storage/storage.ts'
import { hashContent } from './format.ts'
import { selectFiles } from './tables.queries.ts'

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
    await compare(page)
    after = page.at(-1)?.documentId ?? null
    if (after === null) return found
  }
}

/** For a file without a hash, checks only that it exists and can be read. */
async function verifyFile(files: FileStorage, { key, sha256 }: KnownFile): Promise<'whole' | 'missing' | 'damaged'> {
  try {
    const stream = await files.get(key)
    if (!stream) return 'missing'
    const found = await hashContent(stream)
    return sha256 === null || found.equals(sha256) ? 'whole' : 'damaged'
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

type KnownFile = NotesFile & { sha256: Buffer | null }

const known = sql.raw(selectFiles)

async function countKnownFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM (${known}) f`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the files of the next `limit` documents, ordered by document id. */
async function listKnownFiles(db: Db, after: string | null, limit: number) {
  const { rows } = await sql<KnownFile & { documentId: string }>`
    WITH page AS (SELECT id FROM documents WHERE ${after}::uuid IS NULL OR id > ${after} ORDER BY id LIMIT ${limit})
    SELECT f.key, f.sha256, f.document_id AS "documentId", notes.id AS "noteId"
      FROM page JOIN (${known}) f ON f.document_id = page.id LEFT JOIN notes ON notes.document_id = page.id
     ORDER BY page.id`.execute(db)
  return rows
}

async function listExports(db: Db): Promise<KnownFile[]> {
  const rows = await db.selectFrom('exports').select('file_key').where('file_key', 'is not', null).execute()
  return rows.map(({ file_key }) => ({ key: file_key ?? '', noteId: null, sha256: null }))
}

/** Returns the keys that the database does not refer to, not even as a file that is being uploaded or deleted. */
async function listUnreferencedKeys(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT asked AS key FROM unnest(${keys}::text[]) AS asked
     WHERE NOT EXISTS (SELECT FROM documents WHERE file_key = asked)
       AND NOT EXISTS (SELECT FROM thumbnails WHERE asked IN (small_file_key, large_file_key))
       AND NOT EXISTS (SELECT FROM exports WHERE file_key = asked)
       AND NOT EXISTS (SELECT FROM file_deletions WHERE file_key = asked)`.execute(db)
  return rows.map(({ key }) => key)
}

async function isReferenced(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM (${known}) f WHERE key = ${key}`.execute(db)
  return rows.length > 0
}
