import pg from 'pg'
import { recordSql } from '../../bench/record-sql.ts'
import { isPlannedForItsValues } from '../db/planning.ts'
import type { Db } from '../db/pool.ts'

type Plan = {
  [key: string]: unknown
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** What the scans of a plan looked at, whether it was kept or not. */
function countRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, part) => sum + countRead(part), 0)
  if (!plan['Node Type'].endsWith('Scan') || plan['Relation Name'] !== 'notes') return below
  const dropped = Number(plan['Rows Removed by Filter'] ?? 0) + Number(plan['Rows Removed by Index Recheck'] ?? 0)
  // Told for each loop, to two places.
  return below + Math.round((plan['Actual Rows'] + dropped) * plan['Actual Loops'])
}

/**
 * The notes that PostgreSQL reads for what `run` asks, counted by itself, with the settings of its transactions. What is
 * prepared may be planned for its values or for all alike: the one that reads more counts.
 */
export async function countNotesRead(pool: pg.Pool, run: (db: Db) => Promise<unknown>): Promise<number> {
  const statements = await recordSql(pool, run)
  const client = await pool.connect()
  const explain = async (text: string, values: unknown[]) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    return countRead(rows[0]['QUERY PLAN'][0].Plan)
  }
  let read = 0
  let isPrepared = true
  await client.query('BEGIN')
  for (const { text, values } of statements) {
    if (text.includes('set_config')) {
      // The settings of `readWithin`, which prepares nothing.
      isPrepared = false
      await client.query(text, values)
    }
    if (!text.includes('notes')) continue
    const plans = [await explain(text, values)]
    if (isPrepared && !isPlannedForItsValues(text)) plans.push(await explainForAll(client, text, values, explain))
    read += Math.max(...plans)
  }
  await client.query('ROLLBACK')
  client.release()
  return read
}

/** The plan that is made for all values alike. */
async function explainForAll(
  client: pg.PoolClient,
  text: string,
  values: unknown[],
  explain: (text: string, values: unknown[]) => Promise<number>,
): Promise<number> {
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan')
  await client.query(`PREPARE for_all AS ${text}`)
  const given = values.length > 0 ? `(${values.map(literalOf).join(', ')})` : ''
  const read = await explain(`EXECUTE for_all${given}`, [])
  await client.query('DEALLOCATE for_all')
  await client.query('SET LOCAL plan_cache_mode = auto')
  return read
}

function literalOf(value: unknown): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}
