import { readFile, writeFile } from 'node:fs/promises'
import { type Entry, entries } from '../server/config.ts'

type Name = keyof typeof entries

const file = new URL('../docs/configuration.md', import.meta.url)

const topics: Record<string, Name[]> = {
  Server: ['NODE_ENV', 'PUBLIC_URL', 'HOST', 'PORT', 'TRUST_PROXY', 'DATA_DIR', 'SECRET', 'ROLE'],
  Instance: ['OPERATOR_NAME', 'OPERATOR_TEXT', 'ACADEMIC_YEAR_START_MONTH'],
  Database: ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_POOL_SIZE', 'DATABASE_PREPARED'],
  Files: [
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_FORCE_PATH_STYLE',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'FILES_DIRECT',
    'S3_PUBLIC_ENDPOINT',
  ],
  Email: ['SMTP_URL', 'MAIL_FROM'],
  Security: ['CLAMAV_URL', 'CLAMAV_WHEN_AWAY', 'HSTS_SUBDOMAINS', 'RATE_LIMIT'],
  Limits: [
    'MAX_FILES',
    'MAX_FILE_MB',
    'MAX_UPLOAD_MB_PER_DAY',
    'MAX_SPOOL_MB',
    'MIN_FREE_MB',
    'MAX_FILES_PER_HOUR',
    'MAX_READS_PER_HOUR',
    'MAX_CHANGES_PER_HOUR',
  ],
  Recognition: ['RECOGNITION', 'RECOGNITION_LANGUAGES'],
  Observability: [
    'LOG_LEVEL',
    'SLOW_QUERY_MS',
    'METRICS_PORT',
    'METRICS_HOST',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'REQUEST_IDS',
  ],
}

const intro = `# Configuration

All settings are environment variables; a first run needs none. Lectern refuses to start with an invalid value and names the
variable. Percent-encode special characters in the passwords of URLs: \`#\` becomes \`%23\`. Servers that share a database need the
same \`SECRET\` and the same files.
`

function tableOf(names: Name[]): string {
  const rows = names.map((name) => {
    const entry: Entry = entries[name]
    return `| \`${name}\` | ${entry.default === undefined ? '' : `\`${entry.default}\``} | ${entry.doc} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** The text of docs/configuration.md. @throws when a variable has no topic, or two. */
export function renderConfigurationPage(): string {
  const listed = Object.values(topics).flat().sort()
  const wrong = [...new Set([...listed, ...Object.keys(entries)])].filter(
    (name) => listed.filter((one) => one === name).length !== 1,
  )
  if (wrong.length > 0)
    throw new Error(`tools/configuration-page.ts must list these variables once: ${wrong.join(', ')}`)
  const sections = Object.entries(topics).map(([topic, names]) => `## ${topic}\n\n${tableOf(names)}\n`)
  return [intro, ...sections].join('\n')
}

export const readConfigurationPage = (): Promise<string> => readFile(file, 'utf8')
export const writeConfigurationPage = (): Promise<void> => writeFile(file, renderConfigurationPage())
