import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { configEntries, type Entry } from '../server/config.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { startEmbeddedDatabase } from '../server/platform/embedded-postgres/embedded.ts'
import { makeDataFolder, removeDataFolder } from '../server/testing/data-folder.ts'

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

export const configurationPage = new URL('../docs/configuration.md', import.meta.url)

const topics = {
  Server: 'NODE_ENV PUBLIC_URL HOST PORT TRUST_PROXY DRAIN_SECONDS DATA_DIR SECRET ROLE',
  Instance: 'OPERATOR_NAME OPERATOR_EMAIL OPERATOR_TEXT OPERATOR_LINKS OPERATOR_PICTURE ACADEMIC_YEAR_START_MONTH',
  Database: 'DATABASE_URL DATABASE_DIRECT_URL DATABASE_REPLICA_URL DATABASE_POOL_SIZE DATABASE_PREPARED',
  Files: `S3_BUCKET S3_ENDPOINT S3_REGION S3_FORCE_PATH_STYLE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
    S3_PRESIGNED_DOWNLOADS S3_PUBLIC_ENDPOINT`,
  Email: 'SMTP_URL MAIL_FROM',
  Security: 'CLAMAV_URL CLAMAV_WHEN_UNAVAILABLE HSTS_SUBDOMAINS RATE_LIMIT',
  Limits: `MAX_FILES MAX_FILE_MB MAX_UPLOAD_MB_PER_DAY MAX_SPOOL_MB MIN_FREE_MB MAX_FILES_PER_HOUR MAX_READS_PER_HOUR
    MAX_CHANGES_PER_HOUR`,
  Recognition: 'OCR OCR_LANGUAGES',
  Observability: `LOG_LEVEL SLOW_QUERY_MS METRICS_PORT METRICS_HOST OTEL_EXPORTER_OTLP_ENDPOINT REQUEST_IDS`,
}

const intro = `# Configuration

All settings are environment variables; a first run needs none. Lectern refuses to start with an invalid value and names the
variable. Percent-encode special characters in the passwords of URLs: \`#\` becomes \`%23\`. Servers that share a database need the
same \`SECRET\` and the same files.
`

/**
 * Returns the text of docs/configuration.md.
 * @throws when a variable has no topic, or two.
 */
export function renderConfigurationPage(): string {
  const left = new Map<string, Entry>(Object.entries(configEntries))
  const renderRow = (name: string) => {
    const entry = left.get(name)
    if (!left.delete(name) || !entry) throw new Error(`scripts/generate-schema.ts lists ${name} twice or by mistake`)
    return `| \`${name}\` | ${entry.default === undefined ? '' : `\`${entry.default}\``} | ${entry.doc} |\n`
  }
  const sections = Object.entries(topics).map(([topic, names]) => {
    return `\n## ${topic}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${names.split(/\s+/).map(renderRow).join('')}`
  })
  if (left.size > 0) throw new Error(`scripts/generate-schema.ts does not list ${[...left.keys()].join(', ')}`)
  return intro + sections.join('')
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
