import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { NotePage, NoteQuery } from '../contract/search.ts'
import { type Db, openPool } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { listNotes } from '../server/search/search.ts'
import { type Load, measureInTurns, median, spreadOf } from './figures.ts'
import { courses, emailOf, years } from './fill.ts'
import { type Library, log, options, pace, say, withLibrary } from './library.ts'
import { type Call, httpLoad, oneByOne, postgresLoad, timeCall } from './load.ts'
import {
  type Directus,
  type DirectusPage,
  directusIds,
  directusLike,
  directusList,
  startDirectus,
} from './peer/directus.ts'
import { cpuSeconds, memoryMB, type Server, startLectern, watchMemory } from './processes.ts'
import { createRandom } from './random.ts'
import { recordSql, type Statement } from './record-sql.ts'
import { getJson, inTurn, logInAll, type Students } from './students.ts'
import { firstPageBudget, loadRow, type Row, report } from './table.ts'

/** `npm run bench -- lists`: pages of lists beside Directus and PostgreSQL itself, likes, starts, memory and an idle server. */

const connections = 50

await withLibrary({ notes: 100_000 }, async (library) => {
  const rows = [...(await measureStarts(library)), ...(await measureIdle(library))]
  const server = await startLectern(library.env, library.logFile)
  const directus = options.peer ? await startDirectus(library) : null
  if (!directus) say('Without --peer nothing is compared with Directus.')
  const students = await logInAll(server.origin)
  const context = { library, server, directus, students, ...(await readLibrary(library)) }
  const memory = watchMemory(server.pid)
  for (const list of listLists(context.cursors)) rows.push(await measureList(list, context))
  rows.push(await measureLikes(context))
  rows.push({ name: 'Memory under load', unit: 'MB', budget: { atMost: 400 }, measured: memory.stop() })
  await directus?.server.stop()
  await server.stop()
  await report('lists', `${library.noteCount.toLocaleString('en')} notes, ${connections} connections`, rows)
})

type Context = {
  library: Library
  server: Server
  directus: Directus | null
  students: Students
  studentIds: string[]
  likableIds: string[]
}

/** A list, and the queries that are sent in turn. */
type List = { name: string; queries: NoteQuery[]; isOfLiked?: boolean }

function listLists(cursors: { cursorId: string; cursorValue: string }[]): List[] {
  const random = createRandom(4)
  const sortBy = 'createdAt' as const
  const topics = [...new Set(courses.flatMap((course) => course.topics))]
  const places = courses.map(({ code }) => ({ sortBy, courseCode: code, academicYear: random.pick(years) }))
  const exact = courses.map((course) => ({
    sortBy,
    title: random.pick(course.topics),
    courseCode: course.code,
    academicYear: random.pick(years),
    instructor: random.pick(course.instructors).split(' ')[1],
  }))
  const words = topics.map((title) => ({ sortBy, title }))
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
    { name: 'Liked by a student with 5,000 likes', queries: [{ sortBy }], isOfLiked: true },
  ]
}

async function measureList({ name, queries, isOfLiked }: List, context: Context): Promise<Row> {
  say(`${name} …`)
  const { library, server, directus, students } = context
  const path = isOfLiked ? '/api/users/me/notes/liked' : '/api/notes'
  const calls = queries.map((query) => ({ path: `${path}?${new URLSearchParams(query as Record<string, string>)}` }))
  const nextOfList = () => inTurn(calls, isOfLiked ? students.slice(1, 2) : students)
  const statements = await recordStatements(context, queries, isOfLiked)
  const loads = {
    lectern: httpLoad(server.origin, connections, nextOfList()),
    // A plan for all values suits only a list that is always the same.
    postgresql: postgresLoad(library.databaseUrl, connections, statements, queries.length === 1),
  }
  const budget = firstPageBudget(library.noteCount)
  const theirs = directus ? await listOf(directus) : undefined
  return loadRow(name, 'p99Ms', await measureInTurns({ ...loads, directus: theirs }, pace), budget)

  /** @throws when Directus answers with other notes: the work would not be the same. */
  async function listOf({ server: peer, students: theirStudents }: Directus): Promise<Load> {
    const askers = theirStudents.slice(isOfLiked ? 1 : 0).slice(0, 1)
    const nextOfPeer = () =>
      inTurn(
        queries.map((query) => directusList(query, isOfLiked)),
        askers,
      )
    const { notes } = await getJson<NotePage>(server.origin, nextOfList()())
    const found = directusIds(await getJson<DirectusPage>(peer.origin, nextOfPeer()()))
    if (notes.map(({ _id }) => _id).join() !== found.join()) throw new Error(`${name}: Directus found other notes`)
    return httpLoad(peer.origin, connections, nextOfPeer())
  }
}

/** The SQL of the server's own functions, for the first queries of a list. */
async function recordStatements({ library, studentIds }: Context, queries: NoteQuery[], isOfLiked = false) {
  const pool = new pg.Pool({ connectionString: library.databaseUrl, max: 3 })
  const viewer = { id: studentIds[isOfLiked ? 1 : 0] ?? '', role: 'student' as const }
  const lists: Statement[][] = []
  for (const query of queries.slice(0, 50)) {
    const list = (db: Db) => listNotes(readsOn(db, createReadWithin(db, 3)), isOfLiked ? 'liked' : 'all', viewer, query)
    lists.push(await recordSql(pool, list))
  }
  await pool.end()
  return lists
}

/** One student likes notes and takes the likes back while 50 connections read the first page. */
async function measureLikes({ server, directus, students, likableIds }: Context): Promise<Row> {
  say('Likes …')
  const beside =
    (like: Load, reading: Load): Load =>
    async (durationMs) => {
      const [likes, pages] = await Promise.all([like(durationMs), reading(durationMs)])
      return { ...likes, failures: likes.failures + pages.failures }
    }
  const inRounds = (call: (noteId: string, isLiked: boolean) => Call): Call[] =>
    [true, false].flatMap((isLiked) => likableIds.map((noteId) => call(noteId, isLiked)))
  const calls = inRounds((noteId, isLiked) => ({
    method: 'PATCH',
    path: `/api/notes/${noteId}/rating`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ likes: isLiked ? '+' : '-' }),
  }))
  const firstPage = inTurn([{ path: '/api/notes' }], students)
  const reading = httpLoad(server.origin, connections, firstPage)
  const lectern = beside(oneByOne(server.origin, inTurn(calls, students.slice(0, 1))), reading)
  const name = `Like beside ${connections} connections`
  const budget = { atMost: 50 }
  return loadRow(
    name,
    'p99Ms',
    await measureInTurns({ lectern, directus: directus ? await likesOf(directus) : undefined }, pace),
    budget,
  )

  async function likesOf({ server: { origin }, students: theirStudents }: Directus): Promise<Load> {
    const reader = theirStudents.slice(0, 1)
    // An earlier run may have ended with likes that it did not take back.
    const nextUnlike = inTurn(
      likableIds.map((noteId) => directusLike(noteId, false)),
      reader,
    )
    for (let n = 0; n < likableIds.length; n++) await timeCall(origin, nextUnlike())
    const theirPages = httpLoad(origin, connections, inTurn([directusList({ sortBy: 'createdAt' })], reader))
    return beside(oneByOne(origin, inTurn(inRounds(directusLike), reader)), theirPages)
  }
}

/** With a database of its own, as `npm start` makes it. */
async function measureStarts({ logFile }: Library): Promise<Row[]> {
  say('Starting a few times …')
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-start-'))
  await chmod(folder, 0o711)
  const startsMs: number[] = []
  for (let start = 0; start <= (options.quick ? 1 : 5); start++) {
    const server = await startLectern({ DATA_DIR: join(folder, 'data') }, logFile)
    startsMs.push(server.readyMs)
    await server.stop()
  }
  await rm(folder, { recursive: true, force: true })
  const [firstMs = Number.NaN, ...laterMs] = startsMs
  return [
    { name: 'Start with an empty folder', unit: 'ms', budget: { atMost: 4_000 }, measured: firstMs },
    {
      name: 'Start, median',
      unit: 'ms',
      budget: { atMost: 1_500 },
      measured: median(laterMs),
      noise: spreadOf(laterMs),
    },
  ]
}

/** Statements are counted on their way to PostgreSQL, so that none of any part of the server is missed. */
async function measureIdle({ env, logFile, databaseUrl }: Library): Promise<Row[]> {
  const [settleMs, measureMs] = options.quick ? [5_000, 10_000] : [60_000, 120_000]
  say(`Idle for ${(settleMs + measureMs) / 1000} s …`)
  const counter = await countStatements(databaseUrl)
  const server = await startLectern({ ...env, DATABASE_URL: counter.url }, logFile)
  await delay(settleMs)
  const [statements, cpu] = [counter.count(), cpuSeconds(server.pid)]
  await delay(measureMs)
  const perSecond = (counter.count() - statements) / (measureMs / 1000)
  const perHour = (cpuSeconds(server.pid) - cpu) * (3_600_000 / measureMs)
  const idleMB = memoryMB(server.pid)
  await server.stop()
  counter.close()
  return [
    { name: 'Statements of an idle server', unit: '/s', budget: { atMost: 1 }, measured: perSecond },
    { name: 'Processor time of an idle server in an hour', unit: 's', budget: { atMost: 20 }, measured: perHour },
    { name: 'Memory of an idle server', unit: 'MB', budget: { atMost: 250 }, measured: idleMB },
  ]
}

/** Passes everything on to PostgreSQL and counts the messages that run a statement: Query and Execute. */
async function countStatements(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = Number(url.port)
  let count = 0
  const proxy = net.createServer((client) => {
    const database = net.connect(target, '127.0.0.1')
    let rest: Buffer = Buffer.alloc(0)
    let hasStarted = false
    client.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      // The first message has no type, only a length.
      for (let size = 0; rest.length >= 5; rest = rest.subarray(size)) {
        size = hasStarted ? 1 + rest.readInt32BE(1) : rest.readInt32BE(0)
        if (rest.length < size) break
        if (hasStarted && 'QE'.includes(String.fromCharCode(rest[0] ?? 0))) count++
        hasStarted = true
      }
    })
    client.pipe(database).pipe(client)
    client.on('error', () => database.destroy())
    database.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  url.port = String((proxy.address() as net.AddressInfo).port)
  return { url: url.href, count: () => count, close: () => proxy.close() }
}

/** Places to continue from, who asks, and notes that the first student has neither written nor rated. */
async function readLibrary({ databaseUrl }: Library) {
  const { db } = openPool(databaseUrl, 1, log)
  const emails = [emailOf(0), emailOf(1)]
  const users = await db.selectFrom('users').select(['id', 'email']).where('email', 'in', emails).execute()
  const studentIds = emails.map((email) => users.find((user) => user.email === email)?.id ?? '')
  const [readerId = ''] = studentIds
  const places = await db.selectFrom('notes').select(['id', 'created_at']).orderBy('id').limit(200).execute()
  const likable = await db
    .selectFrom('notes')
    .select('id')
    .where('user_id', '<>', readerId)
    .where('id', 'not in', db.selectFrom('ratings').select('note_id').where('user_id', '=', readerId))
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  await db.destroy()
  return {
    studentIds,
    cursors: places.map(({ id, created_at }) => ({ cursorId: id, cursorValue: created_at.toISOString() })),
    likableIds: likable.map(({ id }) => id),
  }
}
