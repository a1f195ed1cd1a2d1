import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { formatAcademicYear } from '../contract/limits.ts'
import { openPool } from '../server/db/pool.ts'
import type { DB } from '../server/db/schema.ts'
import { courses } from '../tools/demo/courses.ts'
import { createRandom } from '../tools/demo/random.ts'
import { benchEmails, benchPassword, type Filled } from './fill-database.ts'
import type { Target } from './measure.ts'
import type { Library } from './setting.ts'

/** What a request is besides its address; `next` says what each one differs in. */
export type Call = Omit<Target, 'url' | 'connections'> & { path: string }

/** One kind of work: how the server, the floor and, where it has one, the bare route are asked for it. */
export type Row = { name: string; connections: number; ours: Call; floor?: Call; bare?: Call }

/** Of a student with some likes, of one with thousands, and of many: who searches or uploads much waits for themself. */
export type Tokens = { reader: string; heavy: string; crowd: string[] }
type Asking = { filled: Filled; pdf: Buffer; cursors: Cursors; likable: string[]; tokens: Tokens }
type Cursor = { createdAt: string; id: string }
type Cursors = { far: Cursor; anywhere: Cursor[] }

const connections = 10
const json = { 'content-type': 'application/json' }
const range = { range: 'bytes=65536-131071' }
const likedByTurns = 20

/** @returns the rows whose names hold the text, asked for by whoever has the tokens. */
export async function prepareRows(
  { databaseUrl, filled, pdf }: Library,
  only: string,
): Promise<(tokens: Tokens) => Row[]> {
  const { db } = openPool(databaseUrl, 1, pino({ level: 'silent' }))
  try {
    const found = { filled, pdf, cursors: await findCursors(db), likable: await findLikable(db, filled) }
    return (tokens) => listRows({ ...found, tokens }).filter(({ name }) => name.includes(only))
  } finally {
    await db.destroy()
  }
}

function listRows({ filled, pdf, cursors, likable, tokens }: Asking): Row[] {
  const headersOf = (token: string | undefined) => ({ authorization: `Bearer ${token}` })
  const as = (who: 'reader' | 'heavy') => headersOf(tokens[who])
  let turn = 0
  /** The next of many students. */
  const asAnother = () => headersOf(tokens.crowd[turn++ % tokens.crowd.length])
  const byTurns = (queries: string[]) => {
    const next = pathsOf('/api/notes', queries)
    return () => ({ ...next(), headers: asAnother() })
  }
  const headers = as('reader')
  const upload = multipart({ courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: 'false' }, 'note', pdf)
  const view = `/api/notes/${filled.noteId}/view`
  const login = {
    method: 'POST' as const,
    headers: json,
    body: JSON.stringify({ email: benchEmails[0], password: benchPassword }),
  }
  const list = (name: string, queries: string[], floor: string, more: Partial<Row> = {}): Row => ({
    name,
    connections,
    ours: { path: '/api/notes', headers, next: byTurns(queries) },
    floor: { path: floor, next: pathsOf(floor, queries) },
    ...more,
  })
  const own = (name: string, path: string, who: 'reader' | 'heavy', floor: string): Row => ({
    name,
    connections,
    ours: { path, headers: as(who) },
    floor: { path: floor },
  })
  const like = (name: string, who: 'reader' | 'heavy', first: number): Row => ({
    name,
    connections,
    ours: {
      path: '/',
      method: 'PATCH',
      headers: { ...json, ...as(who) },
      next: likesOf('/api/notes', likable.slice(first, first + likedByTurns)),
    },
    floor: { path: '/', method: 'PATCH', headers: json, next: likesOf('/notes', likable.slice(-likedByTurns)) },
  })
  const [words, places, exact] = [titleSearches(), placeSearches(), exactSearches()]

  return [
    list('newest, first page', [''], '/newest', { bare: { path: '/browse' } }),
    list('most liked, first page', ['sortBy=likes'], '/most-liked'),
    list('page after row 10,000', [after(cursors.far)], '/after'),
    list('keyset, anywhere', cursors.anywhere.map(after), '/after'),
    list('title, 50 words', words, '/title'),
    // What was found is remembered (decision 76): each of these is another search, from another place on.
    list('title, never sought before', neverTwice(words, cursors.anywhere), '/title', { floor: undefined }),
    list('course and year', places, '/course-year'),
    list('all four filters', exact, '/all-four'),
    list('a title and a course', ['title=eigen%20week&courseCode=mat'], '/title-course'),
    own('liked notes of a student with 5,000', '/api/users/me/notes/liked', 'heavy', '/liked'),
    own('the same, by likes', '/api/users/me/notes/liked?sortBy=likes', 'heavy', '/liked-by-likes'),
    own('me', '/api/users/me', 'reader', `/me/${filled.readerId}`),
    own('me, of a student with 5,000 likes', '/api/users/me', 'heavy', `/me/${filled.heavyId}`),
    like('like', 'reader', 0),
    like('like, by a student with 5,000 likes', 'heavy', likedByTurns),
    {
      name: 'login (argon2id)',
      connections: 4,
      ours: { path: '/api/users/login', ...login },
      floor: { path: '/login', ...login },
      bare: { path: '/login', ...login },
    },
    {
      name: 'upload, 1 MB PDF',
      connections: 4,
      ours: {
        path: '/api/notes',
        method: 'POST',
        headers: { ...headers, ...upload.headers },
        body: upload.body,
        next: () => ({ headers: { ...asAnother(), ...upload.headers } }),
      },
      floor: { path: '/upload', method: 'POST', ...upload },
      bare: { path: '/upload', method: 'POST', ...upload },
    },
    {
      name: 'mix of searches',
      connections: 50,
      ours: { path: '/api/notes', headers, next: byTurns(mixed(words, places, exact)) },
    },
    {
      name: 'download 1 MB',
      connections,
      ours: { path: view, headers },
      floor: { path: '/view' },
      bare: { path: '/view' },
    },
    {
      name: 'range of 64 kB',
      connections,
      ours: { path: view, headers: { ...headers, ...range } },
      floor: { path: '/view', headers: range },
      bare: { path: '/view', headers: range },
    },
  ]
}

/** The same addresses round and round. */
function pathsOf(path: string, queries: string[]) {
  let at = 0
  return () => ({ path: `${path}?${queries[at++ % queries.length]}` })
}

/** Likes some notes one after the other, then takes the likes back in the same order. */
function likesOf(path: string, noteIds: string[]) {
  let at = 0
  return () => {
    const likes = Math.floor(at / noteIds.length) % 2 === 0 ? '+' : '-'
    return { path: `${path}/${noteIds[at++ % noteIds.length]}/rating`, body: JSON.stringify({ likes }) }
  }
}

const after = ({ createdAt, id }: Cursor) => `cursorId=${id}&cursorValue=${encodeURIComponent(createdAt)}`
const queryOf = (filters: Record<string, string>) => new URLSearchParams(filters).toString()
const topicWords = (text: string) => text.split(/[^\p{L}]+/u).filter((word) => word.length > 3)

function titleSearches(): string[] {
  const words = new Set(courses.flatMap(({ topics }) => topics.flatMap(({ name }) => topicWords(name))))
  return [...words].slice(0, 50).map((title) => queryOf({ title }))
}

/** Each word from each place on. */
function neverTwice(words: string[], cursors: Cursor[]): string[] {
  return cursors.flatMap((cursor) => words.map((word) => `${word}&${after(cursor)}`))
}

function placeSearches(): string[] {
  return courses.flatMap(({ code }) =>
    [2020, 2021, 2022, 2023, 2024, 2025].map((year) =>
      queryOf({ courseCode: code, academicYear: formatAcademicYear(year) }),
    ),
  )
}

function exactSearches(): string[] {
  return courses.flatMap(({ code, topics, instructors }, index) =>
    topics.map(({ name }) =>
      queryOf({
        title: topicWords(name)[0] ?? name,
        courseCode: code,
        academicYear: formatAcademicYear(2020 + (index % 6)),
        instructor: instructors[0]?.split(' ').at(-1) ?? '',
      }),
    ),
  )
}

/** All of them by both orders, in an order that is the same in every run. */
function mixed(...searches: string[][]): string[] {
  const random = createRandom('mix')
  const both = searches.flat().flatMap((query) => [query, `${query}&sortBy=likes`])
  return both
    .map((query) => ({ query, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ query }) => query)
}

/** Places in the order of all notes. */
async function findCursors(db: Kysely<DB>): Promise<Cursors> {
  const notes = db.selectFrom('notes').select(['id', 'created_at'])
  const row = ({ id, created_at }: { id: string; created_at: Date }) => ({ id, createdAt: created_at.toISOString() })
  const newestFirst = notes.orderBy('created_at', 'desc').orderBy('id', 'desc')
  const { count } = await db
    .selectFrom('notes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const far = await newestFirst
    .offset(Math.min(10_000, Math.floor(count / 2)))
    .limit(1)
    .executeTakeFirstOrThrow()
  // Ids are random, so these lie anywhere; the oldest have no full page behind them.
  const anywhere = await notes.orderBy('id').limit(500).execute()
  return { far: row(far), anywhere: anywhere.map(row) }
}

/** Notes that neither of the two who like have rated or written. */
export async function findLikable(db: Kysely<DB>, { readerId, heavyId, writerId }: Filled): Promise<string[]> {
  const rows = await db
    .selectFrom('notes')
    .select('id')
    .where('user_id', 'not in', [readerId, heavyId, writerId])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ratings')
            .whereRef('note_id', '=', 'notes.id')
            .where('user_id', 'in', [readerId, heavyId, writerId]),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(3 * likedByTurns)
    .execute()
  return rows.map(({ id }) => id)
}

/** A form with some fields and, after them, a PDF. */
export function multipart(fields: Record<string, string>, fileField: string, pdf: Buffer) {
  const boundary = 'lectern-bench-boundary'
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}`
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"\r\n\r\n${value}\r\n`))
  const file = part(`name="${fileField}"; filename="A scan.pdf"\r\nContent-Type: application/pdf\r\n\r\n`)
  const body = Buffer.concat([Buffer.from(texts.join('') + file), pdf, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}
