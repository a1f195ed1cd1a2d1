import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { searchInside } from '../server/search/inside/search-inside.ts'
import { makeDataFolder, removeDataFolder } from '../server/test/data-folder.ts'
import { fillJudged } from './judged/fill-judged.ts'
import { type Judgement, judgeAll, mean } from './judged/judge.ts'

/** `npm run bench:judged`: how good the order of what a search finds is, by kind of query. `--all` prints each query. */
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
const log = pino({ level: 'warn' }, process.stderr)
const dataDir = await makeDataFolder()
const database = await startEmbeddedDatabase({ dataDir, password: 'judged', log, fsync: false })
try {
  await migrate(database.url, log)
  const { db } = openPool(database.url, 4, log)
  const user = await db
    .insertInto('users')
    .values({ name: 'Judge', email: 'judge@bench.example' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const keys = await fillJudged(db, user.id)
  const viewer = { id: user.id, role: 'student' } as const
  const reads = readsOn(db, createReadWithin(db, 4))
  const judgements = await judgeAll((text) => searchInside(reads, viewer, { text, sortBy: 'relevance' }), keys)
  process.stdout.write(report(judgements))
  await db.destroy()
} finally {
  await database.stop()
  await removeDataFolder(dataDir)
}

function report(judgements: Judgement[]): string {
  const kinds = Map.groupBy(judgements, ({ query }) => query.kind)
  const rows = [...kinds].map(([kind, of]) => `| ${kind} | ${of.length} | ${mean(of).toFixed(3)} |`)
  const missed = judgements
    .filter(({ score }) => values.all || score < 0.999)
    .map(({ query, found, score, didYouMean }) => {
      return `${score.toFixed(3)}  ${query.text}  → ${found.join(' ')}${didYouMean ? `  (did you mean ${didYouMean})` : ''}`
    })
  return [
    '| Queries | Number | nDCG@10 |',
    '| --- | ---: | ---: |',
    ...rows,
    `| all | ${judgements.length} | ${mean(judgements).toFixed(3)} |`,
    '',
    ...missed,
    '',
  ].join('\n')
}
