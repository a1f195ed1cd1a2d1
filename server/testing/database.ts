import pg from 'pg'

export const templateName = 'lectern_template'

/** Makes a database anew. @returns its URL. */
export async function createDatabase(postgresUrl: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    // FILE_COPY beats WAL_LOG where nothing is synced.
    await client.query(`CREATE DATABASE "${name}" ${template ? `TEMPLATE "${template}" STRATEGY FILE_COPY` : ''}`)
  } finally {
    await client.end()
  }
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Where servers of the tests find a database: by `npm run test:full -- postgres15` behind its pooler, as their environment says it. */
export function databaseEnv(databaseUrl: string): Record<string, string> {
  const { TEST_POOLER_PORT } = process.env
  if (!TEST_POOLER_PORT) return {}
  const url = new URL(databaseUrl)
  url.port = TEST_POOLER_PORT
  // Debian 12's PgBouncer keeps no prepared statements.
  return { DATABASE_URL: url.href, DATABASE_DIRECT_URL: databaseUrl, DATABASE_PREPARED: 'off' }
}
