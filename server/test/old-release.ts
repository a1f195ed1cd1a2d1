import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase } from './database.ts'

const migrations = new URL('../db/migrations/', import.meta.url)

/** An empty database as the release left it that knew no migration from `firstUnknown` on. The client is the caller's to end. */
export async function openDatabaseOfRelease(firstUnknown: string): Promise<{ databaseUrl: string; client: pg.Client }> {
  const name = `lectern_old_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createDatabase(inject('postgresUrl'), name)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`CREATE TABLE schema_migrations (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  for (const file of (await readdir(migrations)).sort().filter((each) => each < firstUnknown)) {
    const text = await readFile(new URL(file, migrations), 'utf8')
    await client.query(text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [file, sha256])
  }
  return { databaseUrl, client }
}
