import { createHash, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import PQueue from 'p-queue'
import { formatAcademicYear } from '../packages/contract/limits.ts'
import { createRandom } from '../scripts/demo/random.ts'
import { createUser } from '../server/features/accounts/users/users.ts'
import { insertNotes } from '../server/features/notes/notes.queries.ts'
import { rateNote } from '../server/features/notes/ratings/ratings.ts'
import { indexNotes } from '../server/features/search/index-notes.ts'
import { savePages } from '../server/features/uploads/documents/text.ts'
import type { Db } from '../server/platform/db/pool.ts'
import { inTransaction } from '../server/platform/db/transaction.ts'
import { digests, judgedLibrary } from './judged/judged.ts'

/** Fills a database through the server's own functions, so that the data is always in the server's format. */

export const password = 'Marigold desk 42!'
export const emailOf = (student: number) => `student${student}@bench.example`
export const studentCount = 60
/** Uses OWASP's parameters, as the server does. */
export const hashPassword = () => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
/** The first student reads and likes, the second has more likes than others. The rest have liked the popular notes. */
const [readerLikes, heavyLikes, popularLikes] = [90, 5_000, 5_000]
export const [maxTexts, pagesOfText] = [20_000, 4]
const [wordsOfPage, vocabularySize] = [150, 60_000]
const [concurrency, batchSize] = [3, 500]
const forEach = <T>(items: T[], run: (item: T, at: number) => Promise<void>) =>
  new PQueue({ concurrency }).addAll(items.map((item, at) => () => run(item, at)))

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
const surnames = 'Okafor Nguyen Lindqvist Moreau Tanaka Haddad Kowalski Oliveira Petrov Castellanos'.split(' ')
export const courses = Object.entries(subjects).flatMap(([subject, topics], at) =>
  Array.from({ length: 20 }, (_, level) => ({
    code: `${subject}${101 + level * 17}`,
    topics: topics.split(' '),
    surnames: [0, 1, 2].map((n) => surnames[(at + level * 3 + n) % surnames.length] ?? ''),
  })),
)
export const years = [2020, 2021, 2022, 2023, 2024, 2025].map((year) => formatAcademicYear(year))

/** Dates the notes within the last 700 days during a fill, and keeps jobs from reading documents without a file. */
const startBackdating = `
  CREATE FUNCTION backdate() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.created_at = now() - random() * interval '700 days'; RETURN NEW; END $$;
  CREATE FUNCTION leave_unread() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.text_state = 'empty'; NEW.thumbnail_state = 'failed'; RETURN NEW; END $$;
  CREATE TRIGGER a_backdate BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION backdate();
  CREATE TRIGGER a_leave_unread BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION leave_unread()`
const endBackdating = 'DROP FUNCTION backdate, leave_unread CASCADE'

/** Returns the remaining values of a note without a file. */
function withoutFile(pageCount: number) {
  const [fileKey, sha256] = [randomUUID(), createHash('sha256').update(randomUUID()).digest()]
  return { sourceSha256: null, document: { fileKey, bytes: 200_000, sha256, pageCount, drawnPages: [] } }
}

/** @returns the judged library's keys by id. */
export async function fillJudged(db: Db, userId: string): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (const { key, pages, ...details } of [...judgedLibrary, ...digests]) {
    await inTransaction(db, async (tx) => {
      const given = { ...details, userId, academicYear: '2025–26', isAnonymous: false }
      const [id = ''] = await insertNotes(tx, [{ ...given, ...withoutFile(1) }])
      keys.set(id, key)
      const note = await tx.selectFrom('notes').select('document_id').where('id', '=', id).executeTakeFirstOrThrow()
      // A note repeats the text about its topic.
      const texts = key.startsWith('digest') ? pages : [...pages, ...pages]
      const numbered = texts.map((text, index) => ({ page: index + 1, text }))
      await savePages(tx, note.document_id, numbered)
    })
  }
  await indexNotes(db)
  return keys
}

/** Adds `noteCount` notes without files, by students who have liked some of them. */
export async function fillNotes(db: Db, noteCount: number, say: (text: string) => void) {
  say(`Filling a library with ${noteCount} notes …`)
  const passwordHash = await hashPassword()
  const students: string[] = []
  for (let student = 0; student < studentCount; student++) {
    const user = { name: `Student ${student}`, email: emailOf(student), passwordHash }
    students.push((await inTransaction(db, (tx) => createUser(tx, user))) ?? '')
  }
  const { next, pick } = createRandom(1)
  const kinds = ['lecture', 'summary', 'exercises', 'exam']
  const makeNote = () => {
    const course = pick(courses)
    return {
      userId: pick(students),
      title: `${pick(course.topics)} ${pick(kinds)}, week ${1 + Math.floor(next() * 12)}`,
      courseCode: course.code,
      academicYear: pick(years),
      instructor: `Dr. ${pick(course.surnames)}`,
      isAnonymous: next() < 0.15,
      ...withoutFile(pagesOfText),
    }
  }
  await sql.raw(startBackdating).execute(db)
  const batches = Array.from({ length: Math.ceil(noteCount / batchSize) }, (_, n) => n * batchSize)
  await forEach(batches, async (done) => {
    if (done % 50_000 === 0) say(`${done} notes …`)
    const count = Math.min(batchSize, noteCount - done)
    await inTransaction(db, (tx) => insertNotes(tx, Array.from({ length: count }, makeNote)))
  })
  await sql.raw(endBackdating).execute(db)

  // Ids are random, so the liked notes are spread over every sort order.
  const notes = await db.selectFrom('notes').select(['id', 'user_id']).orderBy('id').limit(12_000).execute()
  const allBy = (id = '', count = 0) => notes.slice(0, count).map((note) => ({ id, note }))
  // The square of a random number is mostly small.
  const popular = () => notes[Math.floor(next() ** 2 * Math.min(2_000, notes.length))]
  const others = Array.from({ length: popularLikes }, () => ({ id: pick(students.slice(2)), note: popular() }))
  const likes = [...allBy(students[0], readerLikes), ...allBy(students[1], heavyLikes), ...others]
  await forEach(likes, async ({ id = '', note }) => {
    if (note && note.user_id !== id) await rateNote(db, { id, role: 'student' }, note.id, { likes: '+' })
  })
  await indexNotes(db)
  await analyse(db)
}

/** Gives the first documents text: words by falling frequency, and topic words that a document repeats. */
export async function fillTexts(db: Db, say: (text: string) => void): Promise<void> {
  const { next, pick } = createRandom(2)
  const words = makeVocabulary()
  const draw = () => words[Math.floor(words.length ** next()) - 1] ?? ''
  const documents = await db.selectFrom('documents').select('id').orderBy('id').limit(maxTexts).execute()
  await forEach(documents, async ({ id }, at) => {
    if (at % 2_000 === 0) say(`${at} of ${documents.length} texts …`)
    const own = Array.from({ length: 30 }, () => pick(words))
    const makeText = () => Array.from({ length: wordsOfPage }, () => (next() < 0.15 ? pick(own) : draw())).join(' ')
    const pages = Array.from({ length: pagesOfText }, (_page, index) => ({ page: index + 1, text: makeText() }))
    await inTransaction(db, (tx) => savePages(tx, id, pages))
  })
  await indexNotes(db)
  await analyse(db)
}

/** Returns the words of the judged library at random ranks among invented ones; frequent words are short. */
export function makeVocabulary(): string[] {
  const { next, pick } = createRandom(3)
  const text = judgedLibrary.flatMap(({ pages }) => pages).join(' ')
  const judged = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  const syllables = [...'bdfgklmnprstvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel))
  const words = new Set<string>()
  for (let n = syllables.length; words.size < vocabularySize; n++) {
    let word = ''
    for (let rest = n; rest > 0; rest = Math.floor(rest / syllables.length)) word += syllables[rest % syllables.length]
    words.add(next() < 0.02 ? pick(judged) : word)
  }
  return [...words]
}

const analyse = (db: Db) => sql`VACUUM ANALYZE`.execute(db)
