import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { currentWork } from '../observe/work.ts'

/**
 * A statement that is sent without a name, with the id of what it is for behind it: so PostgreSQL's own log and
 * `pg_stat_activity` say it too. One with a name must not have it, or it would be another statement each time.
 */
export function markStatement(text: string): string {
  const work = currentWork()
  return work ? `${text} /*${work.kind}_id='${work.id}'*/` : text
}

/**
 * What a statement with a name says instead, and PostgreSQL logs as `execute NAME/PORTAL`. Portals end with their
 * transaction, and are counted there no further: only a statement that is alone has one by its id.
 */
export const portalOfWork = (): string => currentWork()?.id ?? ''

/** A pool whose statements have no names. */
export function markingStatements(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: readonly unknown[]) => client.query(markStatement(text), [...values])
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(),
      }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}
