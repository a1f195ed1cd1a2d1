import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { foldCourseCode } from '../../contract/course-code.ts'
import { importCourseNames } from '../../server/courses/course-names.ts'
import type { Db, Tx } from '../../server/db/pool.ts'
import type { Deps } from '../../server/deps.ts'
import { admitFile, storeFile } from '../../server/documents/admission.ts'
import { processDocuments } from '../../server/documents/take-up.ts'
import { openPendingFiles, type PendingFiles } from '../../server/files/removals.ts'
import { insertNotes, type NewNote } from '../../server/notes/notes.queries.ts'
import { anonymousTitle } from '../../server/notes/title.ts'
import { createUser, findUser } from '../../server/users/users.ts'
import { readableTitle } from '../../web/upload/readable-title.ts'
import { courses } from './courses.ts'
import { writePdf } from './pdf/write-pdf.ts'
import { guest, type LibraryPlan, type LibrarySize, type PlannedNote, planLibrary } from './plan-library.ts'
import { emailOf, studentNames } from './students.ts'

/** Everybody in the demo library has this password. */
export const demoPassword = 'Marigold desk 42!'
/** The login that is printed. */
export const demoEmail = emailOf(studentNames[guest] ?? '')
export const demoSize: LibrarySize = { students: studentNames.length, notes: 300 }

type FillDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'scanner' | 'pdf' | 'jobs' | 'passwords' | 'config' | 'log'>

export type FillOptions = Partial<LibrarySize> & {
  seed?: string
  now?: Date
  onProgress?(done: number, total: number): void
  /** For a process that is about to end: what was stored by then is left to the sweep. */
  signal?: AbortSignal
}

/** Courses that the printed login follows. */
const followed = 3
/** Files are written and anonymised side by side. */
const atOnce = 3
// Any number, as long as every fill takes the same one.
const fillLock = 5_128_301_448

/**
 * Fills an empty library: students, their notes with real files, ratings, and what everybody has viewed. All of it
 * appears in one transaction at the end, so that an interrupted fill leaves nothing but files for the sweep, and the
 * next one begins anew.
 * @returns false, having added nothing, when somebody has an account or a note already.
 */
export async function fillLibrary(deps: FillDeps, options: FillOptions = {}): Promise<boolean> {
  const { db, files, log } = deps
  if (!(await isEmpty(db))) return false
  const plan = planLibrary({
    ...demoSize,
    seed: 'lectern',
    now: new Date(),
    academicYearStartMonth: deps.config.academicYearStartMonth,
    ...options,
  })
  const passwordHash = await deps.passwords.hash(demoPassword)
  const pending = openPendingFiles(db, files, log)
  try {
    const stored = await storeFiles(deps, pending, plan, options)
    return await db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${fillLock})`.execute(tx)
      if (!(await isEmpty(tx))) return false
      const claimed = stored.map(({ document }) => document.fileKey)
      await pending.claim(tx, claimed)
      await insertLibrary(tx, plan, stored, passwordHash)
      await processDocuments(deps.jobs, tx, claimed)
      return true
    })
  } finally {
    if (!options.signal?.aborted) await pending.discard()
  }
}

/** Whether the printed login works. */
export async function hasDemoStudent(db: Db): Promise<boolean> {
  return (await findUser(db, { email: demoEmail })) !== null
}

async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM notes) AS used`.execute(db)
  return rows[0]?.used === false
}

type StoredNote = Pick<NewNote, 'title' | 'sourceSha256' | 'document'>

async function storeFiles(
  deps: FillDeps,
  pending: PendingFiles,
  { notes, students }: LibraryPlan,
  { onProgress, signal }: FillOptions,
): Promise<StoredNote[]> {
  const stored: StoredNote[] = []
  let next = 0
  let done = 0
  async function work() {
    for (let index = next++; index < notes.length; index = next++) {
      signal?.throwIfAborted()
      const note = notes[index]
      const author = note && students[note.owner]
      if (!author) throw new Error('A planned note has no owner')
      stored[index] = await storeNote(deps, pending, note, author)
      onProgress?.(++done, notes.length)
    }
  }
  const results = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return stored
}

/** As an upload does it: admitted on the local disk, and stored then. */
async function storeNote(
  deps: FillDeps,
  pending: PendingFiles,
  note: PlannedNote,
  author: { name: string; email: string },
): Promise<StoredNote> {
  const { bytes } = await writePdf(note.document)
  const title = readableTitle(note.fileName)
  const { isAnonymous } = note
  const folder = await deps.spool.openFolder()
  try {
    const spooled = await folder.write(Readable.from([bytes]))
    const applicant = { userId: author.email, signal: new AbortController().signal }
    const admitted = await admitFile(deps, applicant, folder, spooled, {
      name: title,
      author: isAnonymous ? author : null,
    })
    const document = await storeFile(pending, admitted, applicant.signal)
    return { title: isAnonymous ? anonymousTitle(title, author) : title, sourceSha256: spooled.sha256, document }
  } finally {
    await folder.remove()
  }
}

async function insertLibrary(tx: Tx, plan: LibraryPlan, stored: StoredNote[], passwordHash: string): Promise<void> {
  const userIds = await insertStudents(tx, plan, passwordHash)
  const newNotes = plan.notes.map((note, index): NewNote => {
    const { course, academicYear } = note.document
    const { instructor, isAnonymous } = note
    return {
      ...at(stored, index),
      userId: at(userIds, note.owner),
      courseCode: course.code,
      academicYear,
      instructor,
      isAnonymous,
    }
  })
  const noteIds = await insertNotes(tx, newNotes)

  await sql`
    UPDATE notes SET created_at = given.at
      FROM unnest(${noteIds}::uuid[], ${plan.notes.map(({ createdAt }) => createdAt)}::timestamptz[]) AS given (id, at)
     WHERE notes.id = given.id`.execute(tx)
  await insertRatings(tx, plan, userIds, noteIds)
  await importCourseNames(tx, courses)
  await insertFollows(tx, at(userIds, guest))
  const views = plan.students.flatMap(({ recentlyViewed }, student) =>
    recentlyViewed.map((note, position) => ({ user: at(userIds, student), note: at(noteIds, note), position })),
  )
  await sql`
    INSERT INTO recently_viewed (user_id, note_id, position)
    SELECT * FROM unnest(${views.map(({ user }) => user)}::uuid[], ${views.map(({ note }) => note)}::uuid[],
                         ${views.map(({ position }) => position)}::integer[])`.execute(tx)
  // Some were opened only, and some are being read.
  await sql`
    INSERT INTO reading_positions (user_id, note_id, page, read_at)
    SELECT v.user_id, v.note_id, 1 + d.page_count / 3, now() - v.position * interval '7 hours'
      FROM recently_viewed v JOIN notes n ON n.id = v.note_id JOIN documents d ON d.id = n.document_id
     WHERE v.position % 3 = 0 AND d.page_count > 1`.execute(tx)
}

async function insertStudents(tx: Tx, { students }: LibraryPlan, passwordHash: string): Promise<string[]> {
  const ids: string[] = []
  for (const { name, email } of students) {
    const id = await createUser(tx, { name, email, passwordHash })
    if (id === null) throw new Error(`${email} stands in the plan twice`)
    ids.push(id)
  }
  await sql`
    UPDATE users SET created_at = given.at
      FROM unnest(${ids}::uuid[], ${students.map(({ joinedAt }) => joinedAt)}::timestamptz[]) AS given (id, at)
     WHERE users.id = given.id`.execute(tx)
  return ids
}

/** The counters are counted from the rows, so that they agree. */
async function insertRatings(tx: Tx, { notes }: LibraryPlan, userIds: string[], noteIds: string[]): Promise<void> {
  const ratings = notes.flatMap((note, index) =>
    note.ratings.map((rating) => ({ ...rating, noteId: at(noteIds, index) })),
  )
  await sql`
    INSERT INTO ratings (user_id, note_id, liked, created_at)
    SELECT * FROM unnest(${ratings.map(({ student }) => at(userIds, student))}::uuid[],
                         ${ratings.map(({ noteId }) => noteId)}::uuid[], ${ratings.map(({ liked }) => liked)}::boolean[],
                         ${ratings.map(({ at: time }) => time)}::timestamptz[])`.execute(tx)
  await sql`
    UPDATE notes SET likes = counted.likes, dislikes = counted.dislikes
      FROM (SELECT note_id, count(*) FILTER (WHERE liked) AS likes, count(*) FILTER (WHERE NOT liked) AS dislikes
              FROM ratings GROUP BY note_id) AS counted
     WHERE notes.id = counted.note_id`.execute(tx)
  // Whoever rated a note had opened it, that week.
  await sql`
    INSERT INTO sharing_weeks (owner_id, week, opened, liked)
    SELECT n.user_id, date_trunc('week', r.created_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE r.liked)
      FROM ratings r JOIN notes n ON n.id = r.note_id GROUP BY 1, 2`.execute(tx)
  await sql`
    INSERT INTO sharing_readers (owner_id, reader_id)
    SELECT DISTINCT n.user_id, r.user_id FROM ratings r JOIN notes n ON n.id = r.note_id`.execute(tx)
}

/** The printed login follows some courses, so that there is something new for it. */
async function insertFollows(tx: Tx, userId: string): Promise<void> {
  const keys = courses.slice(0, followed).map(({ code }) => foldCourseCode(code))
  await sql`
    INSERT INTO course_follows (user_id, course_key) SELECT ${userId}, key FROM unnest(${keys}::text[]) AS key`.execute(
    tx,
  )
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error(`The library’s plan has no item ${index}`)
  return item
}
