import { createHash, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { formatAcademicYear } from '../contract/limits.ts'
import type { Db } from '../server/db/pool.ts'
import { savePages } from '../server/documents/pages.ts'
import { adoptStorage } from '../server/files/own-storage.ts'
import type { FileStorage } from '../server/files/storage.ts'
import { insertNotes } from '../server/notes/notes.queries.ts'
import { rateNote } from '../server/ratings/ratings.ts'
import { createUser } from '../server/users/users.ts'
import { judgedLibrary } from './judged/library.ts'
import { createRandom, type Random } from './random.ts'

/** Fills a database through the server's own functions, so that what is searched is always what the server would have written. */

export const password = 'Marigold desk 42!'
export const emailOf = (student: number) => `student${student}@bench.example`
export const studentCount = 60
/** The first student rates and reads, the second has liked more notes than others. */
const likesOf = [90, 5_000]
const otherLikes = 5_000
const notesAtOnce = 500
const workers = 3
const maxTexts = 20_000
const [pagesOfText, wordsOfPage] = [4, 150]

const subjects = {
  MAT: 'eigenvalues matrices derivatives integrals polynomials probability topology combinatorics',
  CSC: 'recursion sorting compilers hashing concurrency databases networks cryptography',
  PHY: 'mechanics thermodynamics optics relativity electromagnetism waves quantum fluids',
  CHM: 'titration kinetics equilibrium spectroscopy polymers electrochemistry buffers isomers',
  BIO: 'genetics mitosis evolution ecology enzymes immunology photosynthesis membranes',
  ECO: 'inflation elasticity markets taxation growth externalities auctions unemployment',
  PSY: 'memory attention perception motivation learning emotion language personality',
  HIS: 'revolutions empires reformation industrialisation colonies treaties migration monarchies',
  PHL: 'ethics epistemology metaphysics aesthetics utilitarianism scepticism determinism justice',
  LIN: 'phonology syntax morphology semantics pragmatics dialects bilingualism typology',
}
export type Course = { code: string; topics: string[]; instructors: string[] }
const initials = 'A. B. C. D. E. F. G. H.'.split(' ')
const surnames = 'Okafor Nguyen Lindqvist Moreau Tanaka Haddad Kowalski Oliveira Petrov Castellanos'.split(' ')
export const courses: Course[] = Object.entries(subjects).flatMap(([subject, topics], at) =>
  Array.from({ length: 20 }, (_, level) => ({
    code: `${subject}${101 + level * 17}`,
    topics: topics.split(' '),
    instructors: [0, 1, 2].map((n) => {
      const nth = at + level * 3 + n
      return `${initials[nth % initials.length]} ${surnames[nth % surnames.length]}`
    }),
  })),
)
export const years = [2020, 2021, 2022, 2023, 2024, 2025].map((year) => formatAcademicYear(year))
const kinds = ['lecture', 'summary', 'exercises', 'exam']

/** So many notes without files, with students who have liked some of them. */
export async function fillNotes(db: Db, files: FileStorage, noteCount: number, say: (text: string) => void) {
  say(`Filling a library with ${noteCount} notes …`)
  await adoptStorage(db, files)
  const passwordHash = await hashPassword()
  const students: string[] = []
  for (let student = 0; student < studentCount; student++) {
    const user = { name: `Student ${student}`, email: emailOf(student), passwordHash }
    students.push((await db.transaction().execute((tx) => createUser(tx, user))) ?? '')
  }
  const random = createRandom(1)
  const columns = [
    // No job has to read what has no file.
    { table: 'documents', column: 'text_state', value: sql`'empty'` },
    { table: 'documents', column: 'picture_state', value: sql`'parked'` },
    { table: 'notes', column: 'created_at', value: sql`now() - random() * interval '700 days'` },
  ]
  await withDefaults(db, columns, () =>
    inBatches(noteCount, notesAtOnce, async (count, done) => {
      if (done % 20_000 === 0) say(`${done} notes …`)
      const notes = Array.from({ length: count }, () => makeNote(random, random.pick(students)))
      await db.transaction().execute((tx) => insertNotes(tx, notes))
    }),
  )
  say('Likes …')
  await rateNotes(db, students, random)
  say('Statistics …')
  await analyse(db)
}

/** By OWASP's parameters, as the server has them. */
export const hashPassword = () => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

function makeNote(random: Random, userId: string) {
  const course = random.pick(courses)
  const document = { fileKey: randomUUID(), bytes: 200_000, sha256: sha256(), pageCount: 4, drawnPages: [] }
  return {
    userId,
    title: `${random.pick(course.topics)} ${random.pick(kinds)}, week ${1 + random.int(12)}`,
    courseCode: course.code,
    academicYear: random.pick(years),
    instructor: random.pick(course.instructors),
    isAnonymous: random.next() < 0.15,
    sourceSha256: null,
    document,
  }
}

const sha256 = () => createHash('sha256').update(randomUUID()).digest()

/** Ids are random, so the notes that are liked lie anywhere in every order. */
async function rateNotes(db: Db, students: string[], random: Random): Promise<void> {
  const notes = await db.selectFrom('notes').select(['id', 'user_id']).orderBy('id').limit(12_000).execute()
  const likes: { userId: string; noteId: string }[] = []
  for (const [student, count] of likesOf.entries()) {
    const userId = students[student] ?? ''
    const others = notes.filter(({ user_id }) => user_id !== userId).slice(0, count)
    likes.push(...others.map(({ id }) => ({ userId, noteId: id })))
  }
  for (let n = 0; n < otherLikes; n++) {
    // Some notes are liked by many: the square of a random number is mostly small.
    const note = notes[Math.floor(random.next() ** 2 * Math.min(2_000, notes.length))]
    const userId = random.pick(students.slice(likesOf.length))
    if (note && note.user_id !== userId) likes.push({ userId, noteId: note.id })
  }
  await inBatches(likes.length, 100, async (count, done) => {
    for (const { userId, noteId } of likes.slice(done, done + count)) {
      await rateNote(db, { id: userId, role: 'student' }, noteId, { likes: '+' })
    }
  })
}

/** Gives the first notes pages of text: words by falling frequency, and some that a note repeats because it is about them. */
export async function fillTexts(db: Db, say: (text: string) => void): Promise<void> {
  const random = createRandom(2)
  const words = makeVocabulary()
  const draw = () => words[Math.floor(words.length ** random.next()) - 1] ?? ''
  const documents = await db.selectFrom('documents').select('id').orderBy('id').limit(maxTexts).execute()
  await inBatches(documents.length, 20, async (count, done) => {
    if (done % 2_000 === 0) say(`${done} of ${documents.length} texts …`)
    for (const { id } of documents.slice(done, done + count)) {
      const own = Array.from({ length: 30 }, () => random.pick(words))
      const pages = Array.from({ length: pagesOfText }, (_, index) => {
        const text = Array.from({ length: wordsOfPage }, () => (random.next() < 0.15 ? random.pick(own) : draw()))
        return { page: index + 1, text: `${text.join(' ')}.` }
      })
      await db.transaction().execute((tx) => savePages(tx, id, pages))
    }
  })
  await analyse(db)
}

/** The words of the judged library among 60,000 made-up ones, so that the judged queries find words of any frequency. */
export function makeVocabulary(): string[] {
  const random = createRandom(3)
  const real = judgedLibrary.flatMap(
    ({ pages }) =>
      pages
        .join(' ')
        .toLowerCase()
        .match(/\p{L}{3,}/gu) ?? [],
  )
  const onsets = 'b c d f g h j k l m n p r s t v w z st tr pl gr ch sh'.split(' ')
  const vowels = 'a e i o u ea io ou'.split(' ')
  const codas = ['', '', 'n', 'r', 's', 't', 'l', 'm']
  const words = new Set<string>()
  while (words.size < 60_000) {
    if (random.next() < 0.02) words.add(random.pick(real))
    const syllables = words.size < 3_000 ? 1 + random.int(2) : 2 + random.int(3)
    const parts = Array.from(
      { length: syllables },
      () => random.pick(onsets) + random.pick(vowels) + random.pick(codas),
    )
    words.add(parts.join(''))
  }
  return [...words]
}

/** Rows that are inserted meanwhile have these values where they are given none. */
async function withDefaults(
  db: Db,
  columns: { table: string; column: string; value: ReturnType<typeof sql> }[],
  insert: () => Promise<void>,
): Promise<void> {
  const usual = new Map<string, string>()
  for (const { table, column, value } of columns) {
    const { rows } = await sql<{ value: string }>`
      SELECT column_default AS value FROM information_schema.columns
       WHERE table_name = ${table} AND column_name = ${column}`.execute(db)
    usual.set(column, rows[0]?.value ?? 'NULL')
    await sql`ALTER TABLE ${sql.table(table)} ALTER ${sql.ref(column)} SET DEFAULT ${value}`.execute(db)
  }
  await insert()
  for (const { table, column } of columns) {
    const value = sql.raw(usual.get(column) ?? 'NULL')
    await sql`ALTER TABLE ${sql.table(table)} ALTER ${sql.ref(column)} SET DEFAULT ${value}`.execute(db)
  }
}

/** Several batches at the same time, in order. */
async function inBatches(total: number, size: number, insert: (count: number, done: number) => Promise<void>) {
  let started = 0
  const work = async () => {
    while (started < total) {
      const done = started
      started += size
      await insert(Math.min(size, total - done), done)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

/** At 1,000,000 notes this takes longer than a statement of the server may. */
const analyse = (db: Db) =>
  db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection)
    await sql`VACUUM ANALYZE`.execute(connection)
  })
