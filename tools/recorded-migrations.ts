import { readFile, writeFile } from 'node:fs/promises'
import { type Migration, readMigrations } from '../server/db/migrate.ts'
import { findFaults } from './check-migration.ts'

/** As `sha256sum` writes them: a line for each migration that has left its author's machine, and is never changed again. */
const file = new URL('../server/db/migrations/SHA256SUMS', import.meta.url)

export async function readRecordedMigrations(): Promise<Migration[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const [sha256 = '', name = ''] = line.split('  ')
    return { name, sha256 }
  })
}

/**
 * Writes down the migrations that are new.
 * @throws where a recorded one has another text now: a database that has seen the old one would refuse to start; and where a
 * new one does not say whether older servers work beside it, or says so and breaks them.
 */
export async function recordMigrations(): Promise<void> {
  const recorded = new Map((await readRecordedMigrations()).map(({ name, sha256 }) => [name, sha256]))
  const migrations = await readMigrations()
  const changed = migrations.find(({ name, sha256 }) => (recorded.get(name) ?? sha256) !== sha256)
  if (changed) throw new Error(`${changed.name} is recorded with another text: write a new migration instead.`)
  const faults = migrations.flatMap(({ name, text }) => findFaults(name, text))
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await writeFile(file, migrations.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))
}
