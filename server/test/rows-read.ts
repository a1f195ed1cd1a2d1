import type pg from 'pg'
import { recordSql } from '../../bench/record-sql.ts'
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

/** The notes that PostgreSQL reads for what `run` asks, counted by itself, with the settings of its transactions. */
export async function countNotesRead(pool: pg.Pool, run: (db: Db) => Promise<unknown>): Promise<number> {
  const statements = await recordSql(pool, run)
  const client = await pool.connect()
  let read = 0
  await client.query('BEGIN')
  for (const { text, values } of statements) {
    if (text.includes('SET LOCAL')) await client.query(text)
    if (!text.includes('notes')) continue
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    read += countRead(rows[0]['QUERY PLAN'][0].Plan)
  }
  await client.query('ROLLBACK')
  client.release()
  return read
}
