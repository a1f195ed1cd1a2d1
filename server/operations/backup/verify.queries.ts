import { sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import { selectFiles } from './tables.queries.ts'

export type KnownFile = { key: string; noteId: string | null; sha256: Buffer | null }

const known = sql.raw(selectFiles)

export async function countKnownFiles(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM (${known}) f`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the files of the next `limit` documents, ordered by document id. */
export async function listKnownFiles(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ files: KnownFile[]; last: string | null }> {
  const { rows } = await sql<KnownFile & { documentId: string }>`
    WITH page AS (SELECT id FROM documents WHERE ${after}::uuid IS NULL OR id > ${after} ORDER BY id LIMIT ${limit})
    SELECT f.key, f.sha256, f.document_id AS "documentId", notes.id AS "noteId"
      FROM page JOIN (${known}) f ON f.document_id = page.id LEFT JOIN notes ON notes.document_id = page.id
     ORDER BY page.id`.execute(db)
  return { files: rows, last: rows.at(-1)?.documentId ?? null }
}

export async function listExports(db: Db): Promise<KnownFile[]> {
  const rows = await db.selectFrom('exports').select('file_key').where('file_key', 'is not', null).execute()
  return rows.map(({ file_key }) => ({ key: file_key ?? '', noteId: null, sha256: null }))
}

/** Returns the keys that the database does not refer to, not even as a file that is being uploaded or deleted. */
export async function listUnreferencedKeys(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT asked AS key FROM unnest(${keys}::text[]) AS asked
     WHERE NOT EXISTS (SELECT FROM documents WHERE file_key = asked)
       AND NOT EXISTS (SELECT FROM thumbnails WHERE asked IN (small_file_key, large_file_key))
       AND NOT EXISTS (SELECT FROM exports WHERE file_key = asked)
       AND NOT EXISTS (SELECT FROM file_deletions WHERE file_key = asked)`.execute(db)
  return rows.map(({ key }) => key)
}

export async function isReferenced(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM (${known}) f WHERE key = ${key}`.execute(db)
  return rows.length > 0
}
