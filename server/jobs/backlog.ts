import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

export type Backlog = { name: string; waiting: number; waitingSeconds: number; retrying: number }

/** The jobs of all servers that wait: those that are due, how long the first of them has been, and those that failed. */
export async function readBacklog(db: Db): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    SELECT name,
           count(*) FILTER (WHERE start_after <= now()) AS waiting,
           coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE start_after <= now())), 0)::float8
             AS "waitingSeconds",
           count(*) FILTER (WHERE state = 'retry') AS retrying
    FROM pgboss.job WHERE state < 'active' GROUP BY name`.execute(db)
  return rows
}
