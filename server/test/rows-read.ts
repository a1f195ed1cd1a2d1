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
  return below + (plan['Actual Rows'] + dropped) * plan['Actual Loops']
}

/** The notes that PostgreSQL reads for what `run` asks, counted by itself. */
export async function countNotesRead(pool: pg.Pool, run: (db: Db) => Promise<unknown>): Promise<number> {
  const statements = await recordSql(pool, run)
  let read = 0
  for (const { text, values } of statements.filter((statement) => statement.text.includes('notes'))) {
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
    read += countRead(rows[0]['QUERY PLAN'][0].Plan)
  }
  return read
}
