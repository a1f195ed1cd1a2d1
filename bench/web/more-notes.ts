import { sql } from 'kysely'
import type { Db } from '../../server/db/pool.ts'
import type { Deps } from '../../server/deps.ts'
import { newFileKey } from '../../server/files/storage.ts'
import { findUser } from '../../server/users/users.ts'

/** Files are copied side by side. */
const atOnce = 20

/** The oldest notes of others that they have not rated become those of one student. */
export async function giveNotes(db: Db, email: string, count: number): Promise<void> {
  const user = await findUser(db, { email })
  await sql`
    UPDATE notes SET user_id = ${user?.id}
     WHERE id IN (SELECT id FROM notes n
                   WHERE NOT EXISTS (SELECT FROM ratings r WHERE r.note_id = n.id AND r.user_id = ${user?.id})
                   ORDER BY created_at LIMIT ${count})`.execute(db)
}

/** Older notes like those there are, with pictures of their own but nothing to read, until there are so many. */
export async function copyNotes({ db, files, spool }: Pick<Deps, 'db' | 'files' | 'spool'>, until: number) {
  const { rows: pictured } = await sql<{ id: string; small: string; large: string }>`
    SELECT n.id, t.small_file_key AS small, t.large_file_key AS large
      FROM notes n JOIN thumbnails t USING (document_id) ORDER BY n.id`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM notes`.execute(db)
  const missing = until - (counted[0]?.count ?? 0)
  const folder = await spool.openFolder()
  async function copyFile(key: string): Promise<string> {
    const [content, copy] = [await files.get(key), newFileKey()]
    if (content === null) throw new Error(`There is no file ${key}`)
    await files.put(copy, await folder.write(content))
    return copy
  }
  for (let done = 0; done < missing; done += atOnce) {
    const sources = Array.from({ length: Math.min(atOnce, missing - done) }, (_, at) => {
      const source = pictured[(done + at) % pictured.length]
      if (source === undefined) throw new Error('No note has a picture')
      return source
    })
    const copies = await Promise.all(
      sources.map(async ({ id, small, large }) => ({ id, small: await copyFile(small), large: await copyFile(large) })),
    )
    await insertCopies(db, copies)
  }
  await folder.remove()
}

async function insertCopies(db: Db, copies: { id: string; small: string; large: string }[]): Promise<void> {
  await sql`
    WITH given AS MATERIALIZED (
      SELECT *, gen_random_uuid() AS document_id, replace(gen_random_uuid()::text, '-', '') AS key
        FROM unnest(${copies.map(({ id }) => id)}::uuid[], ${copies.map(({ small }) => small)}::text[],
                    ${copies.map(({ large }) => large)}::text[]) AS copies (source_id, small, large)),
    documents AS (
      INSERT INTO documents (id, file_key, bytes, sha256, page_count, text_state, picture_state)
      SELECT given.document_id, key, bytes, sha256, page_count, 'empty', picture_state
        FROM given JOIN notes n ON n.id = source_id JOIN documents d ON d.id = n.document_id RETURNING id),
    thumbnails AS (
      INSERT INTO thumbnails (document_id, key, small_file_key, large_file_key, small_sha256, large_sha256)
      SELECT given.document_id, given.key, small, large, small_sha256, large_sha256
        FROM given JOIN notes n ON n.id = source_id JOIN thumbnails t ON t.document_id = n.document_id)
    INSERT INTO notes (user_id, title, course_code, academic_year, instructor, is_anonymous, created_at,
                       course_key, course_words, title_words, instructor_words, fold_version, document_id)
    SELECT user_id, title, course_code, academic_year, instructor, is_anonymous, created_at - interval '3 years',
           course_key, course_words, title_words, instructor_words, fold_version, given.document_id
      FROM given JOIN notes n ON n.id = source_id JOIN documents ON documents.id = given.document_id`.execute(db)
}
