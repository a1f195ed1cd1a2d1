import { chmod, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pageSize } from '../packages/contract/limits.ts'
import type { NotePage, NoteQuery } from '../packages/contract/search.ts'
import { createRandom } from '../scripts/demo/random.ts'
import { listNotes } from '../server/features/search/search.ts'
import { connect } from '../server/platform/db/client.ts'
import { type Db, openPool } from '../server/platform/db/pool.ts'
import { createQueryRunner, createQueryWithTimeout } from '../server/platform/db/query-with-timeout.ts'
import { recordSql, type Statement } from '../server/testing/record-sql.ts'
import { type Contenders, type Load, measureInTurns, median, spreadOf } from './figures.ts'
import { courses, emailOf, years } from './fill.ts'
import { type Library, log, options, say, withLibrary } from './library.ts'
import { type Call, httpLoad, inTurn, logInAll, postgresLoad, send } from './load.ts'
import { directusList, startDirectus } from './peer/directus.ts'
import { cpuSeconds, memoryMB, startLectern, watchMemory } from './processes.ts'
import { firstPageBudget, loadRow, type Row, report } from './table.ts'

/**
 * `npm run bench -- lists`: measures lists compared with Directus and PostgreSQL itself, likes, starts, memory and an
 * idle server.
 */

const connections = 50
/** One student opens fewer, because the server lets at most 16 slow reads of an account wait. */
const connectionsOfOne = 10

await withLibrary({ notes: 100_000 }, async (library) => {
  const rows = [...(await measureStarts(library)), ...(await measureIdle(library))]
  const context = await openContext(library)
  const { server, directus } = context
  const memory = watchMemory(server.pid)
  for (const list of listLists(context.cursors)) rows.push(await measureList(list, context))
  rows.push(await measureLikes(context))
  rows.push({ name: 'Memory under load', unit: 'MB', budget: { atMost: 400 }, measured: memory() })
  await directus?.server.stop()
  await server.stop()
  await report('lists', `${library.noteCount.toLocaleString('en')} notes, ${connections} connections`, rows)
})

type Context = Awaited<ReturnType<typeof openContext>>

/** Starts the servers, and reads cursors, the first student, and notes that this student has neither written nor rated. */
async function openContext(library: Library) {
  const server = await startLectern(library.env, library.logFile)
  const directus = options.peer ? await startDirectus(library) : undefined
  const students = await logInAll(server.origin)
  const { db } = openPool(library.databaseUrl, 1, log)
  const reader = db.selectFrom('users').select('id').where('email', '=', emailOf(0))
  const { id: readerId } = await reader.executeTakeFirstOrThrow()
  const places = await db.selectFrom('notes').select(['id', 'created_at']).orderBy('id').limit(200).execute()
  const rated = db.selectFrom('ratings').select('note_id').where('user_id', '=', readerId)
  const others = db.selectFrom('notes').select('id').where('user_id', '<>', readerId).where('id', 'not in', rated)
  const likable = await others.orderBy('id', 'desc').limit(20).execute()
  await db.destroy()
  const cursors = places.map(({ id, created_at }) => ({ cursorId: id, cursorValue: created_at.toISOString() }))
  return { library, server, directus, students, readerId, cursors, likableIds: likable.map(({ id }) => id) }
}

/** A list and its queries, which are sent in rotation. A list with a path belongs to the student with 5,000 likes. */
type List = { name: string; path?: string; queries: NoteQuery[] }

function listLists(cursors: Partial<NoteQuery>[]): List[] {
  const { pick } = createRandom(4)
  const sortBy = 'createdAt' as const
  const words = [...new Set(courses.flatMap(({ topics }) => topics))].map((title) => ({ sortBy, title }))
  const places = courses.map(({ code }) => ({ sortBy, courseCode: code, academicYear: pick(years) }))
  const exact = courses.map(({ code, topics, surnames }) => {
    return { sortBy, courseCode: code, academicYear: pick(years), title: pick(topics), instructor: pick(surnames) }
  })
  const byLikes = (queries: NoteQuery[]) => queries.map((query) => ({ ...query, sortBy: 'likes' as const }))
  return [
    { name: 'Newest, first page', queries: [{ sortBy }] },
    { name: 'Most liked, first page', queries: [{ sortBy: 'likes' }] },
    { name: 'Continued from anywhere', queries: cursors.map((cursor) => ({ sortBy, ...cursor })) },
    { name: 'A word of a title', queries: words },
    { name: 'A word of a title, by likes', queries: byLikes(words) },
    { name: 'Course and year', queries: places },
    { name: 'All four filters', queries: exact },
    { name: 'All four filters, by likes', queries: byLikes(exact) },
    { name: 'Own notes', path: '/api/users/me/notes', queries: [{ sortBy }] },
    { name: '5,000 liked notes', path: '/api/users/me/notes/liked', queries: [{ sortBy }] },
    { name: '5,000 liked notes, by likes', path: '/api/users/me/notes/liked', queries: [{ sortBy: 'likes' }] },
  ]
}

async function measureList({ name, path, queries }: List, context: Context): Promise<Row> {
  say(`${name} …`)
  const { library, server, directus, students } = context
  const pathOf = (query: NoteQuery) => `${path ?? '/api/notes'}?${new URLSearchParams(query as Record<string, string>)}`
  const calls = queries.map((query) => ({ path: pathOf(query) }))
  const load = path
    ? httpLoad(server.origin, connectionsOfOne, inTurn(calls, students.slice(1, 2)))
    : httpLoad(server.origin, connections, inTurn(calls, students))
  const loads: Contenders<Load> = { lectern: load }
  if (!path) {
    const statements = await recordStatements(context, queries)
    // A generic plan only suits a list with a single query.
    loads.postgresql = postgresLoad(library.databaseUrl, connections, statements, queries.length === 1)
  }
  if (!path && directus) {
    const theirs = inTurn(queries.map(directusList), [directus.student])
    const { notes } = await send<NotePage>(server.origin, inTurn(calls, students)())
    const { data } = await send<{ data: { id: string }[] }>(directus.server.origin, theirs())
    const found = data.slice(0, pageSize).map(({ id }) => id)
    if (notes.map(({ _id }) => _id).join() !== found.join()) throw new Error(`${name}: Directus found other notes`)
    loads.directus = httpLoad(directus.server.origin, connections, theirs)
  }
  return loadRow(name, 'p99Ms', await measureInTurns(loads), firstPageBudget(library.noteCount))
}

/** Records the SQL of the server's own functions for the first queries of a list. */
async function recordStatements({ library, readerId }: Context, queries: NoteQuery[]): Promise<Statement[][]> {
  const list = (query: NoteQuery) => (db: Db) =>
    listNotes(createQueryRunner(db, createQueryWithTimeout(db, 3)), 'all', { id: readerId, role: 'student' }, query)
  const statements: Statement[][] = []
  for (const query of queries.slice(0, 50)) statements.push(await recordSql(library, list(query)))
  return statements
}

/** One student likes notes and removes the likes while 50 connections read the first page. */
async function measureLikes({ server, students, likableIds }: Context): Promise<Row> {
  say('Likes …')
  const like = (noteId: string, likes: '+' | '-'): Call => ({
    method: 'PATCH',
    path: `/api/notes/${noteId}/rating`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ likes }),
  })
  const calls = [...likableIds.map((id) => like(id, '+')), ...likableIds.map((id) => like(id, '-'))]
  const liking = httpLoad(server.origin, 1, inTurn(calls, students.slice(0, 1)))
  const reading = httpLoad(server.origin, connections, inTurn([{ path: '/api/notes' }], students))
  const both: Load = async (durationMs) => {
    const [likes, pages] = await Promise.all([liking(durationMs), reading(durationMs)])
    return { ...likes, failures: likes.failures + pages.failures }
  }
  const figures = await measureInTurns({ lectern: both })
  return loadRow(`Like beside ${connections} connections`, 'p99Ms', figures, { atMost: 50 })
}

/** Uses a new database, as `npm start` creates it. */
async function measureStarts({ logFile }: Library): Promise<Row[]> {
  say('Starting a few times …')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-bench-start-'))
  await chmod(folder.path, 0o711)
  const startsMs: number[] = []
  for (let start = 0; start <= (options.quick ? 1 : 5); start++) {
    const server = await startLectern({ DATA_DIR: join(folder.path, 'data') }, logFile)
    startsMs.push(server.readyMs)
    await server.stop()
  }
  const [firstMs = Number.NaN, ...laterMs] = startsMs
  return [
    { name: 'Start with an empty folder', unit: 'ms', budget: { atMost: 4_000 }, measured: firstMs },
    { name: 'Start', unit: 'ms', budget: { atMost: 1_500 }, measured: median(laterMs), noise: spreadOf(laterMs) },
  ]
}

/** Statements are counted as PostgreSQL's transactions, which on an idle server have one statement each. */
async function measureIdle({ env, logFile, databaseUrl }: Library): Promise<Row[]> {
  const [settleMs, measureMs] = options.quick ? [5_000, 20_000] : [30_000, 120_000]
  say(`Idle for ${(settleMs + measureMs) / 1000} s …`)
  const server = await startLectern(env, logFile)
  await using client = await connect({ connectionString: databaseUrl })
  const count = async () => {
    const text = 'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()'
    return { statements: Number((await client.query(text)).rows[0].count), cpu: cpuSeconds(server.pid) }
  }
  await delay(settleMs)
  const before = await count()
  await delay(measureMs)
  const after = await count()
  const perSecond = (after.statements - before.statements) / (measureMs / 1000)
  const perHour = (after.cpu - before.cpu) * (3_600_000 / measureMs)
  const idleMB = memoryMB(server.pid)
  await server.stop()
  return [
    { name: 'Idle: statements', unit: '/s', budget: { atMost: 1 }, measured: perSecond },
    { name: 'Idle: processor time in an hour', unit: 's', budget: { atMost: 20 }, measured: perHour },
    { name: 'Idle: memory', unit: 'MB', budget: { atMost: 250 }, measured: idleMB },
  ]
}
