import pg from 'pg'
import type { NotePage, SearchPage } from '../contract/search.ts'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { inTransaction } from '../server/db/transaction.ts'
import { createUser } from '../server/users/users.ts'
import { calibrate, type Load, measureInTurns, median, spreadOf } from './figures.ts'
import { emailOf, hashPassword, makeVocabulary } from './fill.ts'
import { fillJudged } from './judged/fill-judged.ts'
import { type Judgement, judgeAll, mean } from './judged/judge.ts'
import { furtherQueries, judgedQueries } from './judged/queries.ts'
import { adoptFolder, type Library, log, pace, say, withLibrary } from './library.ts'
import { type Call, httpLoad, inTurn, logIn, logInAll, oneByOne, type Student, send, timeCall } from './load.ts'
import { startLectern } from './processes.ts'
import { firstPageBudget, loadRow, type Row, report } from './table.ts'

/** `npm run bench -- search`: how good the order of results is and how long searches take, by kind of query. */

const budget = { quality: { atLeast: 0.98 }, timeMs: { atMost: 500 } }
const allQueries = [...judgedQueries, ...furtherQueries]
const searchPath = (text = '') => `/api/search?${new URLSearchParams({ text })}`

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
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('DROP DATABASE IF EXISTS judged WITH (FORCE)')
  await client.query('CREATE DATABASE judged')
  await client.end()
  const url = databaseUrl.replace(/[^/]*$/, 'judged')
  const judgedEnv = { DATA_DIR: `${env.DATA_DIR}-judged`, DATABASE_URL: url }
  await migrate(url, log)
  const { db } = openPool(url, 2, log)
  await adoptFolder(db, judgedEnv.DATA_DIR)
  const user = { name: 'Judge', email: emailOf(0), passwordHash: await hashPassword() }
  const userId = await inTransaction(db, (tx) => createUser(tx, user))
  const keys = await fillJudged(db, userId ?? '')
  await db.destroy()
  const server = await startLectern(judgedEnv, logFile)
  const headers = await logIn(server.origin, 0)
  const search = (text: string) => send<SearchPage>(server.origin, { path: searchPath(text), headers })
  const judgements = await judgeAll(search, keys, allQueries)
  await server.stop()
  return judgements
}

/** The judged kinds, and what else a search can be. */
async function listKinds(origin: string, students: Student[]): Promise<Map<string, Call[]>> {
  const [a, b, c, d, ...others] = makeVocabulary()
  const { notes } = await send<NotePage>(origin, inTurn([{ path: '/api/notes' }], students)())
  const suggestions = ['m', 'lec', 'mat 13', 'zz'].map((text) => `/api/suggestions?${new URLSearchParams({ text })}`)
  const more = {
    'the most frequent words': [a, `${a} ${b}`, `${a} ${b} ${c}`, 'lecture week', 'MAT'].map(searchPath),
    'phrases of frequent words': [`"${a} ${b}"`, `"${b} ${c} ${d}"`, '"lecture week"'].map(searchPath),
    'words by falling frequency': [300, 3_000, 30_000].map((rank) => searchPath(others[rank])),
    suggestions,
    'related notes': notes.slice(0, 4).map(({ _id }) => `/api/notes/${_id}/related`),
  }
  const judged = Map.groupBy(allQueries, ({ kind }) => kind)
  const paths = [...judged].map(([kind, queries]) => [kind, queries.map(({ text }) => searchPath(text))] as const)
  return new Map([...paths, ...Object.entries(more)].map(([kind, of]) => [kind, of.map((path) => ({ path }))]))
}

/** Asks each query alone, once a round. The figure of a kind is its slowest query, by the median of that query's times. */
async function timeKinds(
  origin: string,
  kinds: Map<string, Call[]>,
  students: Student[],
  judgements: Judgement[],
): Promise<Row[]> {
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
      queries: calls.length,
      quality: ofKind.length > 0 ? mean(ofKind) : undefined,
      incomplete: worstOf(ofKind),
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
async function measureBesideSearches(origin: string, students: Student[], noteCount: number): Promise<Row[]> {
  say('Lists beside 50 users who search …')
  const searches = allQueries.map(({ text }) => ({ path: searchPath(text) }))
  const searching = httpLoad(origin, 50, inTurn(searches, students.slice(1)))
  const reading = oneByOne(origin, inTurn([{ path: '/api/notes' }], students.slice(0, 1)))
  const both: Load = async (durationMs) => {
    const [page, search] = await Promise.all([reading(durationMs), searching(durationMs)])
    // The server may refuse a search under such a load, but not a list.
    if (search.failures > 0) say(`${search.failures} searches were refused.`)
    return page
  }
  const { lectern } = await measureInTurns({ lectern: both }, pace)
  return [loadRow('First page beside 50 users who search', 'p99Ms', { lectern }, firstPageBudget(noteCount))]
}
