import pg from 'pg'
import type { Log } from '../deps.ts'
import { quietly } from './quietly.ts'

/** The queue's own connections, so that busy pages and busy jobs do not wait for one another. */
export type JobsDatabase = {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/** @param size connections at most. */
export function openJobsDatabase(databaseUrl: string, size: number, log: Log): JobsDatabase {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // A server that vanished without a word must not hold a worker for ever. Well above what upkeep takes.
    query_timeout: 60_000,
    application_name: 'lectern-jobs',
  })
  // Without a listener, PostgreSQL going away would end the process. The pool opens new connections by itself.
  const warn = quietly((error, times) => log.warn({ err: error, times }, 'The job queue lost a database connection'))
  pool.on('error', warn)

  return {
    async executeSql(text, values) {
      const client = await pool.connect()
      // A connection that breaks while it is lent out tells only those who listen; the query rejects as well.
      const ignore = () => {}
      client.on('error', ignore)
      let failed = false
      try {
        return await client.query(text, values)
      } catch (error) {
        failed = true
        throw error
      } finally {
        client.off('error', ignore)
        // After a failure the connection may be broken, or inside a transaction that several statements had begun.
        client.release(failed)
      }
    },
    close: () => pool.end(),
  }
}
