import pg from 'pg'
import { countPendingMigrations } from '../../../platform/db/migrate.ts'
import { roleSettings, type Settings } from '../../../platform/db/set-local.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { explainStartError } from '../../start/explain-start-error.ts'
import { compareClocks, type Finding, failure, ok, warning } from './finding.ts'

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

const oldest = 150_000
const recommended = 170_000
/** Connections of a server besides the pool: those of the job queue, including the one that listens for new jobs. */
const besidesPool = 11

/** @param env the variables that error messages refer to. */
export async function checkDatabase(
  url: string,
  poolSize: number,
  env: Record<string, string | undefined>,
): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'lectern-doctor',
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return [failure(`The database isn’t responding: ${explainStartError(asError(error), env)}`)]
  }
  try {
    const askedAt = Date.now()
    const facts = await readFacts(client)
    return [
      checkVersion(facts),
      compareClocks('the database', facts.now, askedAt, Date.now()),
      ...checkRights(facts),
      checkConnections(facts, poolSize),
      checkSettings(facts),
      ...(await checkPooler(client, facts, env)),
      await checkMigrations(client),
      ...(await checkQueue(client)),
    ]
  } catch (error) {
    return [failure(`The database check failed: ${describeError(error)}`)]
  } finally {
    await client.end().catch(() => {})
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

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

function checkVersion({ version }: Facts): Finding {
  const text = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000} is running`
  if (version < oldest) return failure(`${text}, which is too old. Lectern needs 15 or newer`)
  return version < recommended ? ok(`${text}; 17 is faster for large libraries`) : ok(text)
}

function checkRights({ encoding, mayCreate }: Facts): Finding[] {
  const found: Finding[] = []
  if (encoding !== 'UTF8') {
    found.push(
      failure(
        `The database encoding is ${encoding}. Create one in UTF8: createdb --encoding UTF8 --template template0`,
      ),
    )
  }
  if (!mayCreate) {
    found.push(failure('The DATABASE_URL user can’t create tables. Make it the owner of the database'))
  }
  return found
}

function checkConnections({ maxConnections, taken }: Facts, poolSize: number): Finding {
  const ofServer = poolSize + besidesPool
  const text = `A server opens up to ${ofServer} connections; ${taken} of ${maxConnections} are in use`
  if (ofServer > maxConnections) {
    return failure(`${text}: raise max_connections, or lower DATABASE_POOL_SIZE`)
  }
  const servers = Math.floor(maxConnections / ofServer)
  return ok(servers === 1 ? `${text}. There is room for 1 server` : `${text}. There is room for ${servers} servers`)
}

function checkSettings({ settings }: Facts): Finding {
  const missing = Object.entries(roleSettings).filter(([name, value]) => settings[name] !== value)
  if (missing.length === 0) return ok('The database role has the settings that Lectern needs')
  const wanted = missing.map(([name, value]) => `ALTER ROLE CURRENT_USER SET ${name} = '${value}';`)
  return warning(`The database role lacks settings. Run this as the user of DATABASE_URL: ${wanted.join(' ')}`)
}

/** Behind a pooler, the answering process is not the one that the client connected to. */
async function checkPooler(
  client: pg.Client,
  { pid }: Facts,
  env: Record<string, string | undefined>,
): Promise<Finding[]> {
  const { processID } = client as pg.Client & { processID?: number }
  if (pid === processID) return []
  if (env.DATABASE_PREPARED === 'off') return [ok('Connected through a pooler, without prepared statements')]
  try {
    const name = `lectern_doctor_${process.pid}`
    for (let n = 0; n < 3; n++) await client.query({ name, text: 'SELECT $1::int AS n', values: [n] })
    return [ok('Connected through a pooler that supports prepared statements')]
  } catch (error) {
    return [
      failure(
        `Connected through a pooler that doesn’t support prepared statements: set its max_prepared_statements (PgBouncer 1.21 or newer), or DATABASE_PREPARED=off (${describeError(error)})`,
      ),
    ]
  }
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  let missing: number | null
  try {
    missing = await countPendingMigrations(client)
  } catch (error) {
    return failure(describeError(error))
  }
  if (missing === null) return warning('The database is empty. The first start creates its tables')
  return missing > 0
    ? warning(`${missing} pending migrations. The next start applies them`)
    : ok('The schema is up to date')
}

const longWaitMinutes = 15

async function checkQueue(client: pg.Client): Promise<Finding[]> {
  const { rows: there } = await client.query(`SELECT to_regclass('pgboss.job') IS NOT NULL AS "isThere"`)
  if (!there[0]?.isThere) return []
  const { rows } = await client.query<{ count: number; minutes: number | null }>(
    `SELECT count(*)::int AS count, (extract(epoch FROM now() - min(start_after)) / 60)::int AS minutes
       FROM pgboss.job WHERE state < 'active' AND start_after < now() - ${longWaitMinutes} * interval '1 minute'`,
  )
  const { count = 0, minutes = 0 } = rows[0] ?? {}
  if (count === 0) return [ok('The job queue is up to date')]
  return [
    failure(
      `${count} jobs have been waiting for up to ${minutes} minutes. Start a server with ROLE=all or ROLE=worker, or add another`,
    ),
  ]
}
