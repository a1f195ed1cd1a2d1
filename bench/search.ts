import type { SearchPage } from '../packages/contract/search.ts'
import { createUser } from '../server/features/accounts/users/users.ts'
import { connect } from '../server/platform/db/client.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { openPool } from '../server/platform/db/pool.ts'
import { inTransaction } from '../server/platform/db/transaction.ts'
import { type Load, measureInTurns } from './figures.ts'
import { emailOf, fillJudged, hashPassword, makeVocabulary } from './fill.ts'
import { furtherQueries, type Judgement, judgeAll, judgedQueries, mean } from './judged/judged.ts'
import { adoptFolder, type Library, log, say, withLibrary } from './library.ts'
import { type Call, httpLoad, inTurn, logIn, logInAll, type Student, send } from './load.ts'
import { startLectern } from './processes.ts'
import { firstPageBudget, loadRow, type Row, report } from './table.ts'

/** `npm run bench -- search`: measures the ranking of results and the time of searches, by kind of query. */

const allQueries = [...judgedQueries, ...furtherQueries]
const searchPath = (text = '') => `/api/search?${new URLSearchParams({ text })}`

await withLibrary({ notes: 100_000, hasTexts: true }, async (library) => {
  const judgements = await judge(library)
  const server = await startLectern(library.env, library.logFile)
  const students = await logInAll(server.origin)
  const rows = await measureKinds(server.origin, students, judgements)
  rows.push(...(await measureBesideSearches(server.origin, students, library.noteCount)))
  await server.stop()
  await report('search', `searches in ${library.noteCount.toLocaleString('en')} notes, asked alone`, rows)
})

/** Sends the judged queries to a database that contains only the judged library. */
async function judge({ databaseUrl, env, logFile }: Library): Promise<Judgement[]> {
  say('Judging the order of results …')
  await using client = await connect({ connectionString: databaseUrl })
  await client.query('DROP DATABASE IF EXISTS judged WITH (FORCE)')
  await client.query('CREATE DATABASE judged')
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

/** Lists the judged kinds and all other kinds of search. */
function listKinds(): Map<string, Call[]> {
  const [a, b, c, d, ...others] = makeVocabulary()
  const more = {
    'the most frequent words': [a, `${a} ${b}`, `${a} ${b} ${c}`, 'lecture week', 'MAT'].map(searchPath),
    'phrases of frequent words': [`"${a} ${b}"`, `"${b} ${c} ${d}"`, '"lecture week"'].map(searchPath),
    'words by falling frequency': [300, 3_000, 30_000].map((rank) => searchPath(others[rank])),
  }
  const judged = Map.groupBy(allQueries, ({ kind }) => kind)
  const paths = [...judged].map(([kind, queries]) => [kind, queries.map(({ text }) => searchPath(text))] as const)
  return new Map([...paths, ...Object.entries(more)].map(([kind, of]) => [kind, of.map((path) => ({ path }))]))
}

/** Sends the queries of each kind in rotation, one after another. */
async function measureKinds(origin: string, students: Student[], judgements: Judgement[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const [kind, calls] of listKinds()) {
    say(`${kind} …`)
    const figures = await measureInTurns({ lectern: httpLoad(origin, 1, inTurn(calls, students)) })
    const ofKind = judgements.filter(({ query }) => query.kind === kind)
    const quality = ofKind.length > 0 ? mean(ofKind) : undefined
    rows.push({ ...loadRow(kind, 'p99Ms', figures, { atMost: 500 }), quality })
  }
  const measured = mean(judgements.filter(({ query }) => judgedQueries.includes(query)))
  return [...rows, { name: 'Order of results, 16 kinds', unit: 'nDCG', budget: { atLeast: 0.98 }, measured }]
}

/** Measures the first page for a reading student while 50 others only search. */
async function measureBesideSearches(origin: string, students: Student[], noteCount: number): Promise<Row[]> {
  say('Lists beside 50 users who search …')
  const searches = allQueries.map(({ text }) => ({ path: searchPath(text) }))
  const searching = httpLoad(origin, 50, inTurn(searches, students.slice(1)))
  const reading = httpLoad(origin, 1, inTurn([{ path: '/api/notes' }], students.slice(0, 1)))
  const both: Load = async (durationMs) => {
    const [page, search] = await Promise.all([reading(durationMs), searching(durationMs)])
    // Under such a load the server may reject a search, but not a list.
    if (search.failures > 0) say(`${search.failures} searches were refused.`)
    return page
  }
  const { lectern } = await measureInTurns({ lectern: both })
  return [loadRow('First page beside 50 users who search', 'p99Ms', { lectern }, firstPageBudget(noteCount))]
}
