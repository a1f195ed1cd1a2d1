import pg from 'pg'
import { describeError, type Log } from '../log.ts'
import { quietly } from '../quietly.ts'

/** The queue's own connections, so that busy pages and busy jobs do not wait for one another. */
export type JobsDatabase = {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Open ones, those at rest among them, and who waits for one. */
  count(): { open: number; idle: number; awaited: number; max: number }
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
  // Without listeners, PostgreSQL going away would end the process: the pool's own hears only of connections at rest,
  // not of those lent out. New ones are opened by themselves.
  const warn = quietly((error, times) => {
    log.warn({ times }, `The job queue lost a database connection: ${describeError(error)}`)
  })
  // A connection may still be saying goodbye when PostgreSQL is stopped right after the queue.
  pool.on('error', (error) => pool.ending || warn(error))
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    async executeSql(text, values) {
      const client = await pool.connect()
      try {
        const result = await client.query(text, values)
        client.release()
        return result
      } catch (error) {
        // The connection may be broken, or inside a transaction that several statements had begun.
        client.release(true)
        throw error
      }
    },
    count: () => ({ open: pool.totalCount, idle: pool.idleCount, awaited: pool.waitingCount, max: size }),
    close: () => pool.end(),
  }
}
