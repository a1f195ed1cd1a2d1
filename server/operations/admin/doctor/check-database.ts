import type pg from 'pg'
import { countPendingMigrations } from '../../../platform/db/migrate.ts'
import {
  type PrimaryPosition,
  primaryPositionSql,
  type ReplicaPosition,
  replicaPositionSql,
} from '../../../platform/db/replica.ts'
import { roleSettings, type Settings } from '../../../platform/db/set-local.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { hasTable } from '../../backup/tables.queries.ts'
import { explainStartError } from '../../start/explain-start-error.ts'
import { countOf } from '../command-line.ts'
import { compareClocks, connectTo, defineCheck, type Finding, failure, ok, warning } from './checks.ts'

const oldest = 150_000
const recommended = 170_000
/** Connections of a server besides the pool: those of the job queue, including the one that listens for new jobs. */
const besidesPool = 11

type Env = Record<string, string | undefined>

/** @param env the variables that error messages refer to. */
export const checkDatabase = defineCheck(async function* (url: string, poolSize: number, env: Env) {
  const connected = await connectTo(url).catch((error: Error) => error)
  if (connected instanceof Error)
    return yield failure(`The database isn’t responding: ${explainStartError(connected, env).text}`)
  await using client = connected
  try {
    const askedAt = Date.now()
    const facts = await readFacts(client)
    const text = `PostgreSQL ${Math.floor(facts.version / 10_000)}.${facts.version % 10_000} is running`
    if (facts.version < oldest) yield failure(`${text}, which is too old. Lectern needs 15 or newer`)
    else yield ok(facts.version < recommended ? `${text}; 17 is faster for large libraries` : text)
    yield compareClocks('the database', facts.now, askedAt)
    if (facts.encoding !== 'UTF8') {
      yield failure(
        `The database encoding is ${facts.encoding}. Create one in UTF8: createdb --encoding UTF8 --template template0`,
      )
    }
    if (!facts.mayCreate) yield failure('The DATABASE_URL user can’t create tables. Make it the owner of the database')
    yield checkConnections(facts, poolSize)
    yield checkSettings(facts)
    yield* await checkPooler(client, facts, env)
    yield await checkMigrations(client)
    yield* await checkQueue(client)
  } catch (error) {
    yield failure(`The database check failed: ${describeError(error)}`)
  }
})

type Facts = {
  version: number
  encoding: string
  mayCreate: boolean
  maxConnections: number
  taken: number
  pid: number
  now: Date
  settings: Settings
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `SELECT current_setting('server_version_num')::int AS version,
            current_setting('server_encoding') AS encoding,
            has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE')
              AS "mayCreate",
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              AS "maxConnections",
            (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS taken,
            (SELECT json_object_agg(name, current_setting(name)) FROM unnest($1::text[]) name) AS settings,
            pg_backend_pid() AS pid, clock_timestamp() AS now`,
    [Object.keys(roleSettings)],
  )
  const [facts] = rows
  if (!facts) throw new Error('PostgreSQL returned no settings')
  return facts
}

function checkConnections({ maxConnections, taken }: Facts, poolSize: number): Finding {
  const ofServer = poolSize + besidesPool
  const text = `A server opens up to ${ofServer} connections; ${taken} of ${maxConnections} are in use`
  if (ofServer > maxConnections) {
    return failure(`${text}: raise max_connections, or lower DATABASE_POOL_SIZE`)
  }
  const servers = Math.floor(maxConnections / ofServer)
  return ok(`${text}. There is room for ${countOf(servers, 'server')}`)
}

function checkSettings({ settings }: Facts): Finding {
  const missing = Object.entries(roleSettings).filter(([name, value]) => settings[name] !== value)
  if (missing.length === 0) return ok('The database role has the settings that Lectern needs')
  const wanted = missing.map(([name, value]) => `ALTER ROLE CURRENT_USER SET ${name} = '${value}';`)
  return warning(`The database role lacks settings. Run this as the user of DATABASE_URL: ${wanted.join(' ')}`)
}

/** Behind a pooler, the answering process is not the one that the client connected to. */
async function checkPooler(client: pg.Client, { pid }: Facts, env: Env): Promise<Finding[]> {
  const { processID } = client as pg.Client & { processID?: number }
  if (pid === processID) return []
  if (env.DATABASE_PREPARED === 'off') return [ok('Connected through a pooler, without prepared statements')]
  try {
    const name = `lectern_doctor_${process.pid}`
    for (let n = 0; n < 3; n++) await client.query({ name, text: 'SELECT $1::int AS n', values: [n] })
    return [ok('Connected through a pooler that supports prepared statements')]
  } catch (error) {
    const text = 'Connected through a pooler that doesn’t support prepared statements: set its'
    const advice = 'max_prepared_statements (PgBouncer 1.21 or newer), or DATABASE_PREPARED=off'
    return [failure(`${text} ${advice} (${describeError(error)})`)]
  }
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  try {
    const missing = await countPendingMigrations(client)
    if (missing === null) return warning('The database is empty. The first start creates its tables')
    if (missing === 0) return ok('The schema is up to date')
    return warning(`${countOf(missing, 'pending migration')}. The next start applies ${missing === 1 ? 'it' : 'them'}`)
  } catch (error) {
    return failure(describeError(error))
  }
}

const longWaitMinutes = 15

async function checkQueue(client: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(client, 'pgboss.job'))) return []
  const { rows } = await client.query<{ count: number; minutes: number | null }>(
    `SELECT count(*)::int AS count, (extract(epoch FROM now() - min(start_after)) / 60)::int AS minutes
       FROM pgboss.job WHERE state < 'active' AND start_after < now() - ${longWaitMinutes} * interval '1 minute'`,
  )
  const { count = 0, minutes = 0 } = rows[0] ?? {}
  if (count === 0) return [ok('The job queue is up to date')]
  const text = `${countOf(count, 'job')} ${count === 1 ? 'has' : 'have'} been waiting for up to ${minutes} minutes`
  return [failure(`${text}. Start a server with ROLE=all or ROLE=worker, or add another`)]
}

/** A replica that is fewer bytes behind catches up during the check. */
const muchBehind = 2 ** 20

/** Users do not notice a wrong replica, because the primary answers, so it needs a check. */
export const checkReplica = defineCheck(async function* (url: string, replicaUrl: string) {
  const written = await ask<PrimaryPosition>(url, primaryPositionSql, []).catch((error: Error) => error)
  if (written instanceof Error)
    return yield failure(`Couldn’t read the WAL position of the database: ${describeError(written)}`)
  const { history, lsn } = written
  const replayed = await ask<ReplicaPosition>(replicaUrl, replicaPositionSql, [history, lsn]).catch(
    (error: Error) => error,
  )
  if (replayed instanceof Error) return yield failure(`The replica isn’t responding: ${describeError(replayed)}`)
  const { isOurs, bytesBehind } = replayed
  if (!isOurs) {
    yield failure(
      'DATABASE_REPLICA_URL isn’t a replica of DATABASE_URL, or hasn’t reached a checkpoint since a failover. Lists are read from the primary',
    )
  } else if (bytesBehind === null || bytesBehind > muchBehind) {
    yield warning(`The replica is ${bytesBehind} bytes behind: lists are read from the primary until it has caught up`)
  } else yield ok('The replica is up to date')
})

async function ask<T>(url: string, text: string, values: string[]): Promise<T> {
  await using client = await connectTo(url)
  const { rows } = await client.query(text, values)
  return rows[0]
}
