import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Log } from '../log.ts'

const folder = new URL('./migrations/', import.meta.url)
// Any number, as long as every version of Lectern takes the same one.
const migrationLock = 5_128_301_447

/**
 * Applies the SQL files of `migrations/` that the database has not seen, in the order of their names, each in a transaction
 * of its own. Numbers need not follow one another: there is no 0018.
 * Servers that start at once wait for one another. A file changed after it was applied stops the start.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (
         name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    const { rows } = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM schema_migrations')
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

    const unknown = [...applied.keys()].filter((name) => !names.includes(name))
    if (unknown.length > 0) throw new Error(`The database is newer than this Lectern: it has ${unknown.join(', ')}.`)

    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      const known = applied.get(name)
      if (known === sha256) continue
      if (known !== undefined) throw new Error(`Migration ${name} was changed after it had been applied.`)
      await client.query('BEGIN')
      await client.query(text)
      await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [name, sha256])
      await client.query('COMMIT')
      log.info(`Migration ${name} applied`)
    }
  } finally {
    // Ending the connection rolls back what failed and frees the lock.
    await client.end()
  }
}
