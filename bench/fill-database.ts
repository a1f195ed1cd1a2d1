import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { foldCourseCode } from '../contract/course-code.ts'
import { formatAcademicYear } from '../contract/limits.ts'
import type { Db } from '../server/db/pool.ts'
import { adoptStorage } from '../server/files/own-storage.ts'
import { type FileStorage, newFileKey } from '../server/files/storage.ts'
import { createUser } from '../server/users/users.ts'
import { courseWords, foldVersion, placedWords } from '../server/words/fold.ts'
import { courses } from '../tools/demo/courses.ts'
import { createRandom, type Random } from '../tools/demo/random.ts'

export const benchPassword = 'Marigold desk 42!'
export const benchEmails: string[] = Array.from({ length: 40 }, (_, index) => `student${index}@bench.example`)
/** Most of what is measured is asked by the first; the second has liked more than others. The rest writes and rates. */
const [readerLikes, heavyLikes] = [90, 5_000]
const readerViews = 24
const rowsAtOnce = 2_000
const ratedNotes = 4_000

export type Filled = { noteId: string; readerId: string; heavyId: string; writerId: string }

/** As many notes as asked for, without files but for one. @returns the note with a file, and who reads. */
export async function fillDatabase(db: Db, files: FileStorage, noteCount: number, pdf: Buffer): Promise<Filled> {
  // OWASP's parameters, as server/passwords/hasher.ts has them.
  const passwordHash = await hash(benchPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const userIds = await db.transaction().execute(async (tx) => {
    const ids: string[] = []
    for (const [index, email] of benchEmails.entries()) {
      const id = await createUser(tx, { name: `Student ${index}`, email, passwordHash })
      if (id !== null) ids.push(id)
    }
    return ids
  })
  const random = createRandom('bench')
  for (let done = 0; done < noteCount; done += rowsAtOnce) {
    await insertNoteRows(db, userIds, Math.min(rowsAtOnce, noteCount - done), random)
  }
  await insertRatingRows(db, userIds)
  await insertViewRows(db, userIds)
  await addFile(db, files, pdf)
  await db.connection().execute(async (one) => {
    // Of a million notes it takes longer than anybody may wait for an answer.
    await sql`SET statement_timeout = 0`.execute(one)
    await sql`VACUUM ANALYZE`.execute(one)
  })
  return findFilled(db, pdf)
}

/** What `fillDatabase` has returned, of a library that was kept. */
export async function findFilled(db: Db, pdf: Buffer): Promise<Filled> {
  const users = await db.selectFrom('users').select(['id', 'email']).where('email', 'in', benchEmails).execute()
  const idOf = (index: number) => users.find(({ email }) => email === benchEmails[index])?.id
  const note = await db
    .selectFrom('notes')
    .innerJoin('documents', 'documents.id', 'document_id')
    .select('notes.id')
    .where('sha256', '=', sha256Of(pdf))
    .limit(1)
    .executeTakeFirst()
  const [readerId, heavyId, writerId] = [idOf(0), idOf(1), idOf(2)]
  if (!note || !readerId || !heavyId || !writerId) throw new Error('The library was not filled by this bench')
  return { noteId: note.id, readerId, heavyId, writerId }
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

async function insertNoteRows(db: Db, userIds: string[], count: number, random: Random): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const course = random.pick(courses)
    const title = `${random.pick(course.topics).name}, week ${random.int(1, 12)}`
    const instructor = random.pick(course.instructors)
    return { user: random.pick(userIds), title, course, instructor, year: formatAcademicYear(random.int(2020, 2025)) }
  })
  const keys = rows.map(() => randomBytes(16).toString('hex'))
  await sql`
    WITH documents AS (
      -- Without a file there is nothing to be made.
      INSERT INTO documents (file_key, bytes, sha256, text_state, picture_state)
      SELECT file_key, 200000, '\\x00', 'empty', 'parked' FROM unnest(${keys}::text[]) AS file_key RETURNING id, file_key)
    INSERT INTO notes (user_id, title, course_code, academic_year, instructor, is_anonymous, created_at,
                       course_key, course_words, title_words, instructor_words, fold_version, document_id)
    SELECT given.user_id, title, code, year, instructor, random() < 0.15, now() - random() * interval '700 days',
           key, course_words::tsvector, title_words::tsvector, instructor_words::tsvector, ${foldVersion}, documents.id
      FROM unnest(${rows.map((row) => row.user)}::uuid[], ${rows.map((row) => row.title)}::text[],
                  ${rows.map((row) => row.course.code)}::text[], ${rows.map((row) => row.year)}::text[],
                  ${rows.map((row) => row.instructor)}::text[],
                  ${rows.map((row) => foldCourseCode(row.course.code))}::text[],
                  ${rows.map((row) => courseWords(row.course.code))}::text[],
                  ${rows.map((row) => placedWords(row.title))}::text[],
                  ${rows.map((row) => placedWords(row.instructor))}::text[],
                  ${keys}::text[])
        AS given (user_id, title, code, year, instructor, key, course_words, title_words, instructor_words, file_key)
      JOIN documents USING (file_key)`.execute(db)
}

/** Each of some notes is liked by a few students, and two students like notes anywhere; the counters follow. */
async function insertRatingRows(db: Db, [readerId, heavyId]: string[]): Promise<void> {
  await sql`
    INSERT INTO ratings (user_id, note_id, liked)
    SELECT u.id, n.id, random() < 0.9
      FROM (SELECT id, user_id FROM notes LIMIT ${ratedNotes}) n
      JOIN users u ON u.id <> n.user_id AND u.id NOT IN (${readerId}, ${heavyId}) AND random() < 0.12`.execute(db)
  for (const [userId, likes] of [
    [readerId, readerLikes],
    [heavyId, heavyLikes],
  ]) {
    // Ids are random, so these lie anywhere in every order.
    await sql`
      INSERT INTO ratings (user_id, note_id, liked, created_at)
      SELECT ${userId}, id, true, now() - row_number() OVER (ORDER BY id) * interval '1 minute'
        FROM notes WHERE user_id <> ${userId} ORDER BY id LIMIT ${likes}`.execute(db)
  }
  await sql`
    UPDATE notes SET likes = counted.likes, dislikes = counted.dislikes
      FROM (SELECT note_id, count(*) FILTER (WHERE liked) AS likes, count(*) FILTER (WHERE NOT liked) AS dislikes
              FROM ratings GROUP BY note_id) AS counted
     WHERE notes.id = counted.note_id`.execute(db)
}

async function insertViewRows(db: Db, [readerId, heavyId]: string[]): Promise<void> {
  for (const userId of [readerId, heavyId]) {
    await sql`
      INSERT INTO recently_viewed (user_id, note_id, position)
      SELECT ${userId}, id, row_number() OVER (ORDER BY id DESC) - 1
        FROM notes ORDER BY id DESC LIMIT ${readerViews}`.execute(db)
  }
}

/** Gives one note a real file. */
async function addFile(db: Db, files: FileStorage, pdf: Buffer): Promise<void> {
  const key = newFileKey()
  const path = join(tmpdir(), `lectern-bench-${key}`)
  await writeFile(path, pdf)
  // The others have none, which would not be taken for theirs.
  await adoptStorage(db, files)
  await files.put(key, { path, bytes: pdf.length, sha256: sha256Of(pdf) })
  const note = await db.selectFrom('notes').select('document_id').limit(1).executeTakeFirstOrThrow()
  await db
    .updateTable('documents')
    .set({ file_key: key, bytes: pdf.length, sha256: sha256Of(pdf) })
    .where('id', '=', note.document_id)
    .execute()
}
