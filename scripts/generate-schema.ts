import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { migrate } from '../server/platform/db/migrate.ts'
import { startEmbeddedDatabase } from '../server/platform/embedded-postgres/embedded.ts'
import { makeDataFolder, removeDataFolder } from '../server/testing/data-folder.ts'
import { configurationPage, renderConfigurationPage } from './configuration-page.ts'

const schemaFile = fileURLToPath(new URL('../server/platform/db/schema.ts', import.meta.url))

/**
 * Writes the table types of a migrated database to `server/platform/db/schema.ts`, or only compares them with `verify`.
 * @throws when kysely-codegen fails, or when the file differs from the database.
 */
export function generateSchema(databaseUrl: string, { verify }: { verify: boolean }): void {
  const options = {
    dialect: 'postgres',
    url: databaseUrl,
    'out-file': schemaFile,
    'default-schema': 'public',
    'include-pattern': 'public.*',
    'exclude-pattern': 'schema_migrations',
    // The pool parses int8 as a number.
    'type-mapping': JSON.stringify({ int8: 'number' }),
    'log-level': 'error',
  }
  const cli = fileURLToPath(new URL('../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url))
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const result = spawnSync(process.execPath, [cli, ...args, ...(verify ? ['--verify'] : [])], { encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`kysely-codegen: ${result.stderr || result.stdout}`)
}

if (import.meta.main) {
  writeFileSync(configurationPage, renderConfigurationPage())
  const dataDir = await makeDataFolder()
  const log = pino({ level: 'warn' })
  const database = await startEmbeddedDatabase({ dataDir, password: 'schema', log, fsync: false })
  try {
    await migrate(database.url, log)
    generateSchema(database.url, { verify: false })
  } finally {
    await database.stop()
    await removeDataFolder(dataDir)
  }
}
