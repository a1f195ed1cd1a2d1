import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../platform/db/client.ts'
import type { Db } from '../platform/db/pool.ts'
import { recordSql } from './record-sql.ts'

type Plan = {
  [key: string]: unknown
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Keeps statistics and the visibility map as the test leaves them: autovacuum could change them during the test. */
export async function disableAutovacuum(db: Db, tables: string[]): Promise<void> {
  for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} SET (autovacuum_enabled = false)`.execute(db)
}

type Where = { databaseUrl: string }
type Run = (db: Db) => Promise<unknown>
type IsCounted = (plan: Plan) => boolean
type RowsOf = (plan: Plan) => number
type Explain = (text: string, values: unknown[]) => Promise<number>

/** Counts the notes that PostgreSQL reads for `run`, in the table or only in an index. */
export const countNotesRead = (test: Where, run: Run): Promise<number> => countRead(test, run, reads('notes'))

/** Counts only the notes that it reads in the table. */
export const countNotesLookedUp = (test: Where, run: Run): Promise<number> =>
  countRead(test, run, reads('notes'), lookedUp)

/** Counts the rows of `document_pages` that it reads. */
export const countPagesRead = (test: Where, run: Run): Promise<number> => countRead(test, run, reads('document_pages'))

const reads =
  (table: string): IsCounted =>
  (plan) =>
    plan['Node Type'].endsWith('Scan') && plan['Relation Name'] === table

/** Counts the note positions that PostgreSQL collects from an index for a bitmap scan. */
export const countTaken = (test: Where, run: Run, index: string): Promise<number> =>
  countRead(test, run, (plan) => plan['Node Type'] === 'Bitmap Index Scan' && plan['Index Name'] === index)

function sumOf(plan: Plan, isCounted: IsCounted, rowsOf: RowsOf): number {
  const below = (plan.Plans ?? []).reduce((sum, part) => sum + sumOf(part, isCounted, rowsOf), 0)
  return below + (isCounted(plan) ? rowsOf(plan) : 0)
}

/** Returns the rows that a scan examined, including those that it discarded. */
function lookedAt(plan: Plan): number {
  const dropped = Number(plan['Rows Removed by Filter'] ?? 0) + Number(plan['Rows Removed by Index Recheck'] ?? 0)
  // PostgreSQL reports averages per loop, rounded to two decimals.
  return Math.round((plan['Actual Rows'] + dropped) * plan['Actual Loops'])
}

const lookedUp = (plan: Plan): number =>
  plan['Node Type'] === 'Index Only Scan' ? Number(plan['Heap Fetches'] ?? 0) : lookedAt(plan)

/**
 * Counts with EXPLAIN ANALYZE, with the settings of the transactions. A prepared statement can get a custom or a
 * generic plan, so the plan that reads more counts.
 */
async function countRead(test: Where, run: Run, isCounted: IsCounted, rowsOf: RowsOf = lookedAt): Promise<number> {
  const statements = await recordSql(test, run)
  await using client = await connect({ connectionString: test.databaseUrl })
  const explain = async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    return sumOf(rows[0]['QUERY PLAN'][0].Plan, isCounted, rowsOf)
  }
  let read = 0
  await client.query('BEGIN')
  for (const { text, values } of statements) {
    // Applies the settings of `queryWithTimeout`.
    if (text.includes('SET LOCAL')) await client.query(text)
    if (!/notes|note_search|note_text|document_pages/.test(text)) continue
    const plans = [await explain(text, values)]
    const mode = (await client.query('SHOW plan_cache_mode')).rows[0].plan_cache_mode
    if (mode !== 'force_custom_plan') plans.push(await explainForAll(client, text, values, explain))
    read += Math.max(...plans)
  }
  return read
}

/** Explains the generic plan. */
async function explainForAll(client: pg.Client, text: string, values: unknown[], explain: Explain) {
  await client.query('SAVEPOINT before; SET LOCAL plan_cache_mode = force_generic_plan')
  await client.query(`PREPARE for_all AS ${text}`)
  const given = values.length > 0 ? `(${values.map(literalOf).join(', ')})` : ''
  const read = await explain(`EXECUTE for_all${given}`, [])
  await client.query('DEALLOCATE for_all')
  await client.query('ROLLBACK TO before')
  return read
}

function literalOf(value: unknown): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}
