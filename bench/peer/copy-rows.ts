import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Library } from '../setting.ts'

/** Directus takes no address below .example. */
export const emailSuffix = '.com'

/** What Lectern has, as the columns of Directus's tables. Who shared a note without a name is not told there either. */
const tables = (studentRoleId: string) => ({
  'directus_users (id, first_name, email, password, status, role)': `
    SELECT id, name, email || '${emailSuffix}', password_hash, 'active', '${studentRoleId}' FROM users JOIN passwords ON user_id = id`,
  'directus_files (id, storage, filename_disk, filename_download, title, type, filesize)': `
    SELECT id, 'local', file_key, 'note.pdf', 'Note', 'application/pdf', bytes FROM documents`,
  'notes (id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes, dislikes, bytes, page_count, author, file)': `
    SELECT n.id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes, dislikes, bytes, page_count,
           CASE WHEN NOT is_anonymous THEN user_id END, document_id
      FROM notes n JOIN documents d ON d.id = document_id`,
  'ratings (id, "user", note, liked, created_at)': `
    SELECT gen_random_uuid(), user_id, note_id, liked, created_at FROM ratings`,
})

/** One for each order and filter that is asked for. Directus looks for text without regard to case by lower(). */
const indexes = `
  CREATE INDEX ON notes (created_at, id);
  CREATE INDEX ON notes (likes, id);
  CREATE INDEX ON notes (course_code, academic_year, created_at, id);
  CREATE INDEX ON notes (course_code, academic_year, likes, id);
  CREATE INDEX ON notes (lower(course_code) text_pattern_ops);
  CREATE EXTENSION pg_trgm;
  CREATE INDEX ON notes USING gin (lower(title) gin_trgm_ops);
  CREATE INDEX ON notes USING gin (lower(instructor) gin_trgm_ops);
  CREATE UNIQUE INDEX ON ratings ("user", note);
  CREATE INDEX ON ratings (note);`

/** Counts in the statement that likes: a flow, or a second call of the client, would cost the peer more. */
const counters = `
  CREATE FUNCTION count_rating() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    rating ratings := coalesce(new, old);
    change integer := CASE WHEN tg_op = 'INSERT' THEN 1 ELSE -1 END;
  BEGIN
    UPDATE notes SET likes = likes + change * rating.liked::int, dislikes = dislikes + change * (NOT rating.liked)::int
     WHERE id = rating.note;
    RETURN NULL;
  END $$;
  CREATE TRIGGER count_rating AFTER INSERT OR DELETE ON ratings FOR EACH ROW EXECUTE FUNCTION count_rating();`

/** Fills the peer's database with Lectern's rows. @returns the note's file, as both know it. */
export async function copyRows({ databaseUrl, filled }: Library, peerUrl: string, studentRoleId: string) {
  const [ours, peer] = [new pg.Client(databaseUrl), new pg.Client(peerUrl)]
  await Promise.all([ours.connect(), peer.connect()])
  try {
    for (const [table, rows] of Object.entries(tables(studentRoleId))) {
      await pipeline(ours.query(copyTo(`COPY (${rows}) TO STDOUT`)), peer.query(copyFrom(`COPY ${table} FROM STDIN`)))
    }
    await peer.query(indexes)
    await peer.query(counters)
    await peer.query('VACUUM ANALYZE')
    const { rows } = await ours.query<{ fileId: string; fileKey: string }>(
      `SELECT d.id AS "fileId", file_key AS "fileKey" FROM notes n JOIN documents d ON d.id = document_id WHERE n.id = $1`,
      [filled.noteId],
    )
    const [file] = rows
    if (!file) throw new Error('The note with a file is missing')
    return file
  } finally {
    await Promise.all([ours.end(), peer.end()])
  }
}
