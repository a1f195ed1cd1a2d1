import type pg from 'pg'
import type { Settings } from './transaction-settings.ts'

/** Of every connection, or of every transaction where connections are a pooler's. */
export const ownSettings: Settings = {
  statement_timeout: '15000',
  idle_in_transaction_session_timeout: '15000',
  // What is read is small, and workers of one query take the processors from everybody else's.
  max_parallel_workers_per_gather: '0',
}

const poolers = new WeakSet<pg.ClientBase>()

/** Whether each transaction may run on another connection, as `greet` found out. */
export const isBehindPooler = (client: pg.ClientBase): boolean => poolers.has(client)

/**
 * Before a connection is used. Settings are not sent with its start, where poolers refuse those they do not know, and a
 * pooler's connection is not given any: they would stay for whoever has it next.
 * @param limitMs for each answer: a pooler may have no connection for so long, and what a network swallows is not waited for.
 */
export async function greet(client: pg.ClientBase, limitMs: number): Promise<void> {
  const { rowCount } = await client.query(
    inTime(limitMs, {
      text: 'SELECT set_config(key, value, false) FROM json_each_text($1::json) WHERE pg_backend_pid() = $2',
      values: [JSON.stringify(ownSettings), announcedPid(client)],
    }),
  )
  if (rowCount === 0) poolers.add(client)
}

/** The process that answered at the start. Poolers make one up. */
const announcedPid = (client: pg.ClientBase) => (client as pg.ClientBase & { processID?: number }).processID

const inTime = (limitMs: number, query: pg.QueryConfig): pg.QueryConfig =>
  Object.assign(query, { query_timeout: limitMs })
