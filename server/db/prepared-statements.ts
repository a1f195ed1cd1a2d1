import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { hasCode } from '../error-code.ts'
import { fail } from '../failure.ts'
import type { Log } from '../log.ts'
import { cancelStatement } from './cancel-statement.ts'
import { markStatement, portalOfWork } from './marked-statements.ts'
import { ownSettings, wayOf } from './new-connection.ts'
import { written } from './transaction-settings.ts'

/** On each connection, which keeps a statement as long as it lives. What comes past these is sent without a name. */
const maxNames = 400

const planIsOutdated = '0A000'
/** There is no such statement, or another under its name: the connection is not the one that prepared it. */
const statementIsLost = ['26000', '42P05']
const retryAfterSeconds = 1

/**
 * A pool whose statements are prepared under names, so that PostgreSQL parses each but once a connection, and plans it but a
 * few times: then for all values alike, unless it expects a plan made for the values to be cheaper. What must be planned for
 * its values says so (`plannedForItsValues`), or goes by `unprepared`, where a statement says when it is to be prepared.
 *
 * A statement fails once on a connection when a migration changes the types of what it answers. It is sent again without a
 * name; inside a transaction, which such a failure ends, its caller is told to try again. Behind a pooler that does not keep
 * statements there are no names, and they are given up where one forgets them later.
 */
export function namingStatements(pool: pg.Pool, log: Log, isPrepared: (text: string) => boolean): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  /** Null for those that get none. */
  const names = new Map<string, string | null>()
  /** Goes up when names are given anew. Connections from before are replaced when they are given back. */
  let generation = 0
  let isUsable = true

  function nameOf(text: string): string | null {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= maxNames) return null
    const name = isPrepared(text) ? `lectern_${generation}_${digest(text)}` : null
    names.set(text, name)
    return name
  }

  /** @returns whether sending the statement without its name may help. */
  function giveUpNames(error: unknown): boolean {
    if (statementIsLost.some((code) => hasCode(error, code))) {
      if (isUsable) log.warn('Statements are no longer prepared: what stands before PostgreSQL does not keep them')
      isUsable = false
      return true
    }
    if (!hasCode(error, planIsOutdated) || !/cached plan/.test(String(error))) return false
    generation += 1
    names.clear()
    return true
  }

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    const begun = generation
    const { poolsConnections, keepsStatements } = wayOf(client)
    const run = poolsConnections ? limited(client) : (...sent: Sent) => client.query(...sent)
    async function query(text: string, values: readonly unknown[]) {
      // What has no values is of the transaction itself, and cheaper as it is.
      const name = isUsable && keepsStatements && values.length > 0 && generation === begun ? nameOf(text) : null
      if (name === null) return run(markStatement(text), [...values])
      const isAlone = client.getTransactionStatus() === 'I'
      try {
        // The types of the driver do not know of portals.
        const portal = isAlone ? portalOfWork() : ''
        return await run({ name, text, values: [...values], portal } as pg.QueryConfig)
      } catch (error) {
        if (!giveUpNames(error)) throw error
        return isAlone
          ? run(markStatement(text), [...values])
          : fail('unavailable', { retryAfterSeconds, cause: error })
      }
    }
    return {
      // Nobody reads by cursors, which `query` takes too.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy || generation !== begun),
    }
  }

  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? wrap(client)
      clients.set(client, wrapped)
      return wrapped
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

type Sent = [query: string | pg.QueryConfig, values?: unknown[]]

/**
 * Settings of a pooler's connection would be everybody's: a transaction begins with its own, and a statement that stands alone
 * is ended from here.
 */
const limited =
  (client: pg.PoolClient) =>
  async (...[query, values]: Sent) => {
    if (client.getTransactionStatus() !== 'I') return client.query(query, values)
    if (typeof query === 'string' && /^begin\b/.test(query)) return client.query(`${query}; ${written(ownSettings)}`)
    const late = setTimeout(() => cancelStatement(client), Number(ownSettings.statement_timeout))
    return client.query(query, values).finally(() => clearTimeout(late))
  }

/** A name says its text, so that no pooler ever runs another statement under it. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 27)
