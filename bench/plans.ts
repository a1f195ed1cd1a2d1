import { pino } from 'pino'
import { openPool } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { Failure } from '../server/failure.ts'
import { describeRun, ms, table } from './markdown.ts'
import { type Explained, explainAll, readPlan } from './plans/explain.ts'
import { listLists } from './plans/lists.ts'
import { prepareRun } from './setting.ts'

/** `npm run bench:plans`: what PostgreSQL does for every list and every search, as Markdown. */
const { run, only, openLibrary, say, cleanUp } = await prepareRun('npm run bench:plans')
/** The first five runs of a prepared statement are planned for their values; from then on for all, where that costs no more. */
const runsBefore = 6

/** What takes longer than a read may is refused, and has no plan to show for its last statement. */
function sayGivenUp(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'busy') throw error
  say('  … was given up')
}

try {
  const { databaseUrl, filled } = await openLibrary()
  const { pool, db } = openPool(explainAll(databaseUrl), 4, pino({ level: 'silent' }))
  let plans: Explained[] = []
  pool.on('connect', (client) => client.on('notice', ({ message }) => plans.push(...readPlan(message ?? ''))))
  const reads = readsOn(db, createReadWithin(db, 4))
  const rows: string[][] = []
  const trees: string[] = []
  for (const { name, read } of listLists(db, reads, filled).filter((list) => list.name.includes(only))) {
    say(`${name} …`)
    for (let at = 0; at <= runsBefore; at++) {
      plans = []
      await read().catch(sayGivenUp)
    }
    const blocks = plans.reduce((sum, plan) => sum + plan.blocks, 0)
    rows.push([
      name,
      String(plans.length),
      ms(plans.reduce((sum, plan) => sum + plan.ms, 0)),
      blocks.toLocaleString('en'),
    ])
    trees.push(`### ${name}\n\n\`\`\`\n${plans.map(({ tree }) => tree).join('\n\n')}\n\`\`\`\n`)
  }
  await pool.end()
  const sums = table(['List', 'Statements', 'Time', 'Blocks of 8 kB'], rows)
  process.stdout.write(`${describeRun(run)}\n\n${sums}\n\n${trees.join('\n')}`)
} finally {
  await cleanUp()
}
