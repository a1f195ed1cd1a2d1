import { Readable } from 'node:stream'
import { sql } from 'kysely'
import PQueue from 'p-queue'
import { foldCourseCode } from '../../packages/contract/course-code.ts'
import { currentAcademicYearStart, formatAcademicYear, recentlyViewedLimit } from '../../packages/contract/limits.ts'
import type { Deps } from '../../server/dependencies.ts'
import { createUser, findUser } from '../../server/features/accounts/users/users.ts'
import { importCourseNames } from '../../server/features/courses/course-names.ts'
import { insertNotes, type NewNote } from '../../server/features/notes/notes.queries.ts'
import { removeAuthorWords } from '../../server/features/notes/title.ts'
import { enqueueProcessing } from '../../server/features/uploads/documents/enqueue-processing.ts'
import { ingestFile, storeFile } from '../../server/features/uploads/documents/ingest.ts'
import type { Db, Tx } from '../../server/platform/db/pool.ts'
import { inTransaction } from '../../server/platform/db/transaction.ts'
import { openPendingFiles, type PendingFiles } from '../../server/platform/storage/file-deletions.ts'
import { courses } from './courses.ts'
import { type DemoNote, demoNotes, emailOf, guest, readPdf, studentNames } from './notes.ts'
import { createRandom } from './random.ts'

/** The password of all students of the demo library. */
export const demoPassword = 'Marigold desk 42!'
/** The login that is printed. */
export const demoEmail = emailOf(guest)
export const demoSize = { students: studentNames.length, notes: demoNotes.length }

type FillDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'scanner' | 'pdf' | 'jobs' | 'passwords' | 'config' | 'log'>
export type FillOptions = {
  /** Notes repeat if there are more than the demo library contains. */
  notes?: number
  onProgress?(done: number, total: number): void
  /** Aborted when the process is about to end; the sweep then deletes the stored files. */
  signal?: AbortSignal
}

/** The number of courses that the printed login follows. */
const followedCourses = 3
const concurrency = 3
// An arbitrary number that every fill uses.
const fillLock = 5_128_301_448
const dayMs = 24 * 3600 * 1000
/** Notes were uploaded in the last two years, and their courses took place in the last five. */
const historyDays = 730
const years = 5

/**
 * Fills an empty library with students, notes with real files, ratings, follows, views and reading positions. All rows
 * appear in one transaction at the end, so that an interrupted fill leaves only files for the sweep.
 * @returns false, and adds nothing, if there is a user or a note already.
 */
export async function fillLibrary(deps: FillDeps, options: FillOptions = {}): Promise<boolean> {
  const { db, files, log } = deps
  const { notes: count = demoSize.notes, onProgress, signal } = options
  if (!(await isEmpty(db))) return false
  const passwordHash = await deps.passwords.hash(demoPassword)
  const pending = openPendingFiles(db, files, log)
  let done = 0
  async function store(note: DemoNote) {
    signal?.throwIfAborted()
    const stored = await storeNote(deps, pending, note)
    onProgress?.(++done, count)
    return stored
  }
  try {
    const notes = Array.from({ length: count }, (_, index) => demoNotes[index % demoNotes.length] as DemoNote)
    const queue = new PQueue({ concurrency })
    const results = await Promise.allSettled(notes.map((note) => queue.add(() => store(note))))
    const stored = results.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    return await inTransaction(db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${fillLock})`.execute(tx)
      if (!(await isEmpty(tx))) return false
      const fileKeys = stored.map(({ document }) => document.fileKey)
      await pending.claim(tx, fileKeys)
      await insertStudentsAndNotes(tx, stored, passwordHash, deps.config.academicYearStartMonth)
      await insertActivity(tx)
      await importCourseNames(tx, courses)
      const documents = await tx.selectFrom('documents').select('id').execute()
      const ids = documents.map(({ id }) => id)
      await enqueueProcessing(deps.jobs, tx, ids)
      return true
    })
  } finally {
    if (!signal?.aborted) await pending.discard()
  }
}

/** Returns whether the printed login exists. */
export async function hasDemoStudent(db: Db): Promise<boolean> {
  return (await findUser(db, { email: demoEmail })) !== null
}

async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM notes) AS used`.execute(db)
  return rows[0]?.used === false
}

type StoredNote = Pick<NewNote, 'title' | 'sourceSha256' | 'document'> & { note: DemoNote }

/** Works as an upload does: the file is first admitted on the local disk and then stored. */
async function storeNote(deps: FillDeps, pending: PendingFiles, note: DemoNote): Promise<StoredNote> {
  const { title: name, isAnonymous } = note
  const author = { name: note.author, email: emailOf(note.author) }
  const bytes = await readPdf(note)
  const folder = await deps.spool.openFolder()
  try {
    const spooled = await folder.write(Readable.from([bytes]))
    const applicant = { userId: author.email, signal: new AbortController().signal }
    const admitted = await ingestFile(deps, applicant, folder, spooled, { name, author: isAnonymous ? author : null })
    const document = await storeFile(pending, admitted, applicant.signal)
    const title = isAnonymous ? removeAuthorWords(name, author) : name
    return { note, title, sourceSha256: spooled.sha256, document }
  } finally {
    await folder.remove()
  }
}

async function insertStudentsAndNotes(tx: Tx, stored: StoredNote[], passwordHash: string, startMonth: number) {
  const userIds = new Map<string, string | null>()
  for (const name of studentNames) {
    userIds.set(name, await createUser(tx, { name, email: emailOf(name), passwordHash }))
  }
  const random = createRandom(0)
  const now = Date.now()
  const times = stored.map(() => new Date(now - dayMs / 4 - random.next() ** 1.25 * historyDays * dayMs))
  const oldest = currentAcademicYearStart(new Date(now), startMonth) - years + 1
  const newNotes = stored.map(({ note, ...file }, index): NewNote => {
    const { course, author, isAnonymous } = note
    const year =
      currentAcademicYearStart(times[index] ?? new Date(now), startMonth) - Math.floor(random.next() ** 2 * years)
    return {
      ...file,
      userId: userIds.get(author) ?? '',
      courseCode: course.code,
      academicYear: formatAcademicYear(Math.max(oldest, year)),
      instructor: random.chance(0.65) ? random.pick(course.instructors) : undefined,
      isAnonymous,
    }
  })
  const noteIds = await insertNotes(tx, newNotes)
  await sql`
    UPDATE notes SET created_at = given.at
      FROM unnest(${noteIds}::uuid[], ${times}::timestamptz[]) AS given (id, at) WHERE notes.id = given.id`.execute(tx)
  await sql`
    UPDATE users SET created_at = least(now() - interval '20 days',
      (SELECT min(created_at) FROM notes WHERE user_id = users.id)) - random() * interval '30 days'`.execute(tx)
}

/** Adds ratings and views of other users' notes. The printed login rates every fifth note. */
async function insertActivity(tx: Tx): Promise<void> {
  await sql`SELECT setseed(0.5)`.execute(tx)
  // Most notes are rated by a few students, some by nearly all.
  await sql`
    WITH rated AS (
      SELECT id, user_id, created_at, 0.04 * (1 - random()) ^ -0.75 AS share,
             row_number() OVER (ORDER BY created_at, id) AS number FROM notes)
    INSERT INTO ratings (user_id, note_id, liked, created_at)
    SELECT u.id, n.id, CASE WHEN u.email = ${demoEmail} THEN number % 35 <> 0 ELSE random() < 0.88 END,
           n.created_at + (now() - n.created_at) * random() ^ 2
      FROM rated n JOIN users u
        ON u.id <> n.user_id AND CASE WHEN u.email = ${demoEmail} THEN number % 5 = 0 ELSE random() < share END
    `.execute(tx)
  await sql`
    UPDATE notes SET likes = counted.likes, dislikes = counted.dislikes
      FROM (SELECT note_id, count(*) FILTER (WHERE liked) AS likes, count(*) FILTER (WHERE NOT liked) AS dislikes
              FROM ratings GROUP BY note_id) AS counted
     WHERE notes.id = counted.note_id`.execute(tx)
  // A student who rated a note opened it in the same week.
  await sql`
    INSERT INTO author_weekly_stats (owner_id, week, views, likes)
    SELECT n.user_id, date_trunc('week', r.created_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE r.liked)
      FROM ratings r JOIN notes n ON n.id = r.note_id GROUP BY 1, 2`.execute(tx)
  await sql`
    INSERT INTO author_readers (owner_id, reader_id)
    SELECT DISTINCT n.user_id, r.user_id FROM ratings r JOIN notes n ON n.id = r.note_id`.execute(tx)
  // Notes with many likes are opened more often.
  await sql`
    INSERT INTO recently_viewed (user_id, note_id, position)
    SELECT * FROM (
      SELECT u.id, n.id, row_number() OVER (PARTITION BY u.id ORDER BY random() * (2 + n.likes) DESC) - 1 AS position
        FROM users u CROSS JOIN notes n) AS viewed
     WHERE position < ${recentlyViewedLimit}`.execute(tx)
  // Every third viewed note was read up to some page.
  await sql`
    INSERT INTO reading_positions (user_id, note_id, page, read_at)
    SELECT v.user_id, v.note_id, 1 + d.page_count / 3, now() - v.position * interval '7 hours'
      FROM recently_viewed v JOIN notes n ON n.id = v.note_id JOIN documents d ON d.id = n.document_id
     WHERE v.position % 3 = 0 AND d.page_count > 1`.execute(tx)
  const followed = courses.slice(0, followedCourses).map(({ code }) => foldCourseCode(code))
  await sql`
    INSERT INTO course_follows (user_id, course_key)
    SELECT id, unnest(${followed}::text[]) FROM users WHERE email = ${demoEmail}`.execute(tx)
}
