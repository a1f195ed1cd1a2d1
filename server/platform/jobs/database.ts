import pg from 'pg'
import type { ConstructorOptions } from 'pg-boss'
import { describeError, type Log, throttleErrors } from '../observability/log.ts'

/** The queue has its own connections, so that busy pages and busy jobs do not wait for each other. */
export type JobsDatabase = Required<Pick<NonNullable<ConstructorOptions['db']>, 'listen'>> & {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Counts the open and idle connections, and the callers that wait for one. */
  count(): { open: number; idle: number; waiting: number; max: number }
  close(): Promise<void>
}

const reconnectMs = 2_000

/** A transaction pooler invents the process ID that it announces, and does not keep LISTEN. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== (client as pg.Client & { processID?: number }).processID
}

/**
 * @param size the maximum number of connections.
 * @param directUrl for LISTEN, which a transaction pooler does not keep.
 */
export function openJobsDatabase(databaseUrl: string, directUrl: string, size: number, log: Log): JobsDatabase {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // A server that vanished silently must not block a worker forever. Maintenance takes far less time.
    query_timeout: 60_000,
    application_name: 'lectern-jobs',
  })
  // Without listeners for both idle and checked-out connections, the loss of PostgreSQL would end the process.
  const warn = throttleErrors((error, times) => {
    log.warn({ times }, `The job queue lost a database connection: ${describeError(error)}`)
  })
  pool.on('error', (error) => pool.ending || warn(error))
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    // After an error, the pool closes the connection, which may be broken or inside a transaction.
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      let isClosed = false
      let current: pg.Client | null = null
      let timer: NodeJS.Timeout | undefined
      /** @throws when the connection cannot be opened, or belongs to a transaction pooler. */
      async function connect(): Promise<void> {
        const client = new pg.Client({
          connectionString: directUrl,
          connectionTimeoutMillis: 5_000,
          query_timeout: 5_000,
          keepAlive: true,
          application_name: 'lectern-listener',
        })
        client.on('error', () => reconnectLater(client))
        client.on('end', () => reconnectLater(client))
        client.on('notification', ({ payload }) => payload !== undefined && onNotification(payload))
        try {
          await client.connect()
          if (await isPooled(client)) throw new Error('a pooler does not keep LISTEN; set DATABASE_DIRECT_URL')
          await client.query(`LISTEN ${client.escapeIdentifier(channel)}`)
        } catch (error) {
          client.removeAllListeners().on('error', () => {})
          void client.end().catch(() => {})
          throw error
        }
        current = client
        if (isClosed) return void client.end()
        onReconnect()
      }
      function reconnectLater(lost: pg.Client | null): void {
        if (isClosed || lost !== current) return
        current = null
        lost?.removeAllListeners().on('error', () => {})
        void lost?.end().catch(() => {})
        timer = setTimeout(() => connect().catch(() => reconnectLater(null)), reconnectMs)
      }
      await connect()
      return {
        async close() {
          isClosed = true
          clearTimeout(timer)
          await current?.end().catch(() => {})
        },
      }
    },
    count: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: size }),
    close: () => pool.end(),
  }
}
