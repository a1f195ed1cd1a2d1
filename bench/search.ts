import { join } from 'node:path'
import type { NotePage, SearchPage } from '../contract/search.ts'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { adoptStorage } from '../server/files/own-storage.ts'
import { createUser } from '../server/users/users.ts'
import { calibrate, type Load, measureInTurns, median, spreadOf } from './figures.ts'
import { emailOf, hashPassword, makeVocabulary } from './fill.ts'
import { fillJudged } from './judged/fill-judged.ts'
import { type Judgement, judgeAll, mean } from './judged/judge.ts'
import { furtherQueries, judgedQueries } from './judged/queries.ts'
import { createDatabase, type Library, log, pace, say, withLibrary } from './library.ts'
import { type Call, httpLoad, oneByOne, timeCall } from './load.ts'
import { startLectern } from './processes.ts'
import { getJson, inTurn, logIn, logInAll, type Students } from './students.ts'
import { firstPageBudget, loadRow, type Row, report } from './table.ts'

/** `npm run bench -- search`: how good the order of results is and how long searches take, by kind of query. */

const budget = { quality: { atLeast: 0.98 }, timeMs: { atMost: 500 } }
const searchPath = (text: string) => `/api/search?${new URLSearchParams({ text })}`

await withLibrary({ notes: 100_000, hasTexts: true }, async (library) => {
  const judgements = await judge(library)
  const server = await startLectern(library.env, library.logFile)
  const students = await logInAll(server.origin)
  const rows = await timeKinds(server.origin, await listKinds(server.origin, students), students, judgements)
  rows.push(...(await measureBesideSearches(server.origin, students, library.noteCount)))
  await server.stop()
  await report('search', `searches in ${library.noteCount.toLocaleString('en')} notes, asked alone`, rows)
})

/** Asks the judged queries in a database of the judged library alone. */
async function judge({ databaseUrl, env, logFile }: Library): Promise<Judgement[]> {
  say('Judging the order of results …')
  const url = await createDatabase(databaseUrl, 'judged')
  const judgedEnv = { DATA_DIR: `${env.DATA_DIR}-judged`, DATABASE_URL: url }
  await migrate(url, log)
  const { db } = openPool(url, 2, log)
  await adoptStorage(db, await openDiskStorage(join(judgedEnv.DATA_DIR, 'files')))
  const user = { name: 'Judge', email: emailOf(0), passwordHash: await hashPassword() }
  const userId = await db.transaction().execute((tx) => createUser(tx, user))
  const keys = await fillJudged(db, userId ?? '')
  await db.destroy()
  const server = await startLectern(judgedEnv, logFile)
  const headers = await logIn(server.origin, 0)
  const search = (text: string) => getJson<SearchPage>(server.origin, { path: searchPath(text), headers })
  const judgements = await judgeAll(search, keys, [...judgedQueries, ...furtherQueries])
  await server.stop()
  return judgements
}

type Kinds = Map<string, Call[]>

async function listKinds(origin: string, students: Students): Promise<Kinds> {
  const kinds: Kinds = new Map()
  const add = (kind: string, path: string) => kinds.set(kind, [...(kinds.get(kind) ?? []), { path }])
  for (const { kind, text } of [...judgedQueries, ...furtherQueries]) add(kind, searchPath(text))
  const [a = '', b = '', c = '', d = '', ...others] = makeVocabulary()
  for (const text of [a, `${a} ${b}`, `${a} ${b} ${c}`, 'lecture week', 'MAT'])
    add('the most frequent words', searchPath(text))
  for (const text of [`"${a} ${b}"`, `"${b} ${c} ${d}"`, '"lecture week"'])
    add('phrases of frequent words', searchPath(text))
  for (const rank of [300, 3_000, 30_000]) add('words of the texts by rank', searchPath(others[rank] ?? ''))
  for (const text of ['m', 'lec', 'mat 13', 'zz'])
    add('suggestions', `/api/suggestions?${new URLSearchParams({ text })}`)
  const { notes } = await getJson<NotePage>(origin, { path: '/api/notes', headers: students[0] ?? {} })
  for (const { _id } of notes.slice(0, 4)) add('related notes', `/api/notes/${_id}/related`)
  return kinds
}

/** Asks each query alone, once a round. The figure of a kind is its slowest query, by the median of that query's times. */
async function timeKinds(origin: string, kinds: Kinds, students: Students, judgements: Judgement[]): Promise<Row[]> {
  const times = new Map<Call, number[]>()
  const all = [...kinds.values()].flat()
  for (let round = 0; round <= pace.slices; round++) {
    say(round === 0 ? 'Warming up …' : `Round ${round} of ${pace.slices} …`)
    calibrate()
    const next = inTurn(all, students)
    for (const call of all) {
      const timeMs = await timeCall(origin, next())
      if (round > 0) times.set(call, [...(times.get(call) ?? []), timeMs])
    }
  }
  const rows = [...kinds].map(([kind, calls]): Row => {
    const timesOf = (call: Call) => times.get(call) ?? []
    const isSlower = (a: Call, b: Call) => median(timesOf(b)) - median(timesOf(a))
    const [slowest = []] = calls.toSorted(isSlower).map(timesOf)
    const ofKind = judgements.filter(({ query }) => query.kind === kind)
    return {
      name: kind,
      unit: 'ms',
      budget: budget.timeMs,
      measured: median(slowest),
      medianMs: median(calls.flatMap(timesOf)),
      noise: spreadOf(slowest),
      failures: calls.flatMap(timesOf).filter(Number.isNaN).length,
      more: {
        Queries: `${calls.length}`,
        ...(ofKind.length > 0 && { 'nDCG@10': mean(ofKind).toFixed(3), 'Not all found': worstOf(ofKind) }),
      },
    }
  })
  const isJudged = ({ query }: Judgement) => judgedQueries.includes(query)
  const judged = judgements.filter(isJudged)
  const others = judgements.filter((judgement) => !isJudged(judgement))
  return [
    ...rows,
    { name: 'Order of results, 16 kinds', unit: 'nDCG', budget: budget.quality, measured: mean(judged) },
    { name: 'Order of results, further kinds', unit: 'nDCG', measured: mean(others) },
  ]
}

function worstOf(judgements: Judgement[]): string {
  return judgements
    .filter(({ score }) => score < 0.9)
    .map(({ query }) => query.text)
    .slice(0, 2)
    .map((text) => (text.length > 25 ? `${text.slice(0, 24)}…` : text))
    .join(', ')
}

/** The first page for a student who reads while 50 others only search. */
async function measureBesideSearches(origin: string, students: Students, noteCount: number): Promise<Row[]> {
  say('Lists beside 50 users who search …')
  const searches = [...judgedQueries, ...furtherQueries].map(({ text }) => ({ path: searchPath(text) }))
  const [reader = students[0], ...others] = students
  const searching = httpLoad(origin, 50, inTurn(searches, others))
  const reading = oneByOne(origin, () => ({ path: '/api/notes', headers: reader ?? {} }))
  const refused: number[] = []
  const both: Load = async (durationMs) => {
    const [page, search] = await Promise.all([reading(durationMs), searching(durationMs)])
    refused.push(search.failures)
    return page
  }
  const { lectern } = await measureInTurns({ lectern: both }, pace)
  const row = loadRow('First page beside 50 users who search', 'p99Ms', { lectern }, firstPageBudget(noteCount))
  return [{ ...row, more: { Queries: `${refused.reduce((sum, n) => sum + n)} refused` } }]
}
