import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

/** One environment variable: its documentation, its valid values and its default. */
export type Entry = { doc: string; schema: z.ZodType; default?: string }

const httpOrigin = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).transform((text, ctx) => {
  const url = new URL(text)
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    ctx.addIssue({ code: 'custom', message: 'must be a bare origin such as https://notes.example.org' })
  }
  return url.origin
})

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number', abort: true })
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, { error: `must be at least ${min}` })
        .max(max, { error: `must be at most ${max}` }),
    )

const encodeHint = 'percent-encode characters such as # / ? @ in passwords (# is %23)'

/** The address of a server, with a scheme such as `smtps`. */
const serverAddress = (schemes: string[]) =>
  z.string().transform((text, ctx) => {
    const refuse = (message: string) => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const names = schemes.map((scheme) => `${scheme}://`)
    if (!names.some((name) => text.startsWith(name))) return refuse(`must be a ${names.join(' or ')} address`)
    if (text.includes('#')) return refuse(`contains a #: ${encodeHint}`)
    const url = URL.parse(text)
    if (!url) return refuse(`isn’t a valid address: ${encodeHint}`)
    // PostgreSQL's host may be a socket, which is given in the query string.
    if (!url.hostname && !url.searchParams.has('host')) return refuse('must name a host')
    return text
  })

/** The languages whose data is part of Lectern's packages, as `@tesseract.js-data/…`. */
const recognised = ['eng', 'deu', 'fra', 'spa'] as const

const languages = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.enum(recognised, { error: `must be one or more of ${recognised.join(', ')}, separated by commas` })))

/** A bucket name that is valid in DNS, which every S3 store accepts. */
const bucketName = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/, {
  error: 'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
})

export type ClamdAddress = { host: string; port: number } | { path: string }

const clamdAddress = z.string().transform((text, ctx): ClamdAddress => {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/.exec(text) ?? []
  if (path) return { path }
  const url = /^tcp:\/\/[^/?#@]+$/.test(text) ? URL.parse(text) : null
  if (url?.hostname) return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 3310) }
  ctx.addIssue({ code: 'custom', message: 'must be tcp://host:3310 or unix:/run/clamav/clamd.ctl' })
  return z.NEVER
})

const addresses = z.string().transform((text, ctx) => {
  const list = text.split(',').map((part) => part.trim())
  for (const part of list) {
    const [address = '', prefix] = part.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    if (!isIP(address) || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))) {
      ctx.addIssue({ code: 'custom', message: 'must be IP addresses or CIDR ranges separated by commas' })
      return []
    }
  }
  return list
})

type OperatorLink = { name: string; address: string }

const linkList = z.string().transform((text, ctx): OperatorLink[] =>
  text.split(',').flatMap((entry) => {
    const [, name = '', address = ''] = /^([^=\p{Cc}]{1,60})=(.+)$/u.exec(entry.trim()) ?? []
    const isLink =
      name.trim() && /^(https?:\/\/|mailto:)[^\s"<>]+$/i.test(address.trim()) && URL.canParse(address.trim())
    if (isLink) return [{ name: name.trim(), address: address.trim() }]
    ctx.addIssue({
      code: 'custom',
      message: `must be name=address pairs separated by commas, with http, https or mailto addresses; “${entry.trim()}” is not`,
    })
    return []
  }),
)

/** The source of docs/configuration.md, which `npm run schema` writes. */
export const configEntries = {
  ROLE: {
    doc: '`web` serves users and leaves jobs (emails, sweeps, documents) to others. `worker` runs jobs and answers only health checks. `all` does both.',
    schema: z.enum(['all', 'web', 'worker']),
    default: 'all',
  },
  PORT: { doc: 'Port to listen on. 0 picks a free one.', schema: integer(0, 65535), default: '3000' },
  HOST: {
    doc: 'Address to listen on. `0.0.0.0` opens it to the network.',
    schema: z.string().min(1),
    default: '127.0.0.1',
  },
  DRAIN_SECONDS: {
    doc: 'After SIGTERM, serve for so long with `/readyz` at 503, so that load balancers send requests elsewhere. Then stop within 10 s.',
    schema: integer(0, 300),
    default: '0',
  },
  PUBLIC_URL: {
    doc: 'Origin that links in emails start with, such as `https://notes.example.org`. Default: `http://localhost:PORT`.',
    schema: httpOrigin,
  },
  HSTS_SUBDOMAINS: {
    doc: '`on` makes browsers use HTTPS for every subdomain of `PUBLIC_URL` too. Needs HTTPS.',
    schema: z.enum(['on', 'off']),
    default: 'off',
  },
  DATA_DIR: {
    doc: 'Folder for database, files, outbox, generated secret and uploads in progress.',
    schema: z.string().min(1),
    default: './data',
  },
  DATABASE_URL: {
    doc: 'PostgreSQL 15 or newer, instead of the embedded one: `postgres://user:password@host:5432/name`. `?sslmode=verify-full` requires TLS.',
    schema: serverAddress(['postgres', 'postgresql']),
  },
  DATABASE_DIRECT_URL: {
    doc: 'The same database without the pooler in `DATABASE_URL`, for migrations and notifications of new jobs. Behind a pooler without it, workers look for jobs every 2 s.',
    schema: serverAddress(['postgres', 'postgresql']),
  },
  DATABASE_REPLICA_URL: {
    doc: 'Streaming replica for lists and searches. The primary answers while the replica is behind or unavailable, and the replica while the primary is unavailable.',
    schema: serverAddress(['postgres', 'postgresql']),
  },
  DATABASE_POOL_SIZE: {
    doc: 'Connections of each server, besides up to 11 for jobs. The same number to a replica.',
    schema: integer(2, 500),
    default: '10',
  },
  DATABASE_PREPARED: {
    doc: '`off` prepares no statements, for poolers that do not keep them, such as PgBouncer before 1.21 or with `max_prepared_statements=0`. Lists take longer.',
    schema: z.enum(['on', 'off']),
    default: 'on',
  },
  S3_BUCKET: {
    doc: 'Bucket for files, of any S3, instead of `DATA_DIR/files`.',
    schema: bucketName,
  },
  S3_ENDPOINT: {
    doc: 'URL of the S3, such as `https://s3.example.org`. Default: Amazon’s for `S3_REGION`.',
    schema: httpOrigin,
  },
  S3_PUBLIC_ENDPOINT: {
    doc: 'URL that browsers use with `S3_PRESIGNED_DOWNLOADS=on`, if it is not `S3_ENDPOINT`.',
    schema: httpOrigin,
  },
  S3_REGION: {
    doc: 'Region that requests are signed for.',
    schema: z.string().regex(/^[a-z0-9-]{1,64}$/, { error: 'must be the name of a region, such as eu-central-1' }),
    default: 'us-east-1',
  },
  S3_FORCE_PATH_STYLE: {
    doc: '`on` puts the bucket into the path of a URL, `off` into its host. Default: `on` with `S3_ENDPOINT`, else `off`.',
    schema: z.enum(['on', 'off']),
  },
  AWS_ACCESS_KEY_ID: {
    doc: 'Access key for the bucket. Default: what the AWS SDK finds, such as the role of the machine.',
    schema: z.string().min(1),
  },
  AWS_SECRET_ACCESS_KEY: { doc: 'Secret key that belongs to it.', schema: z.string().min(1) },
  AWS_SESSION_TOKEN: { doc: 'Session token, for temporary keys.', schema: z.string().min(1) },
  S3_PRESIGNED_DOWNLOADS: {
    doc: '`on` lets browsers load non-anonymous notes from the bucket by presigned URLs, valid for five minutes. Needs [CORS on the bucket](operations.md#files-in-s3).',
    schema: z.enum(['on', 'off']),
    default: 'off',
  },
  CLAMAV_URL: {
    doc: 'clamd that scans uploads: `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`. Without it, uploads are not scanned.',
    schema: clamdAddress,
  },
  CLAMAV_WHEN_UNAVAILABLE: {
    doc: 'While clamd does not answer, `refuse` rejects uploads immediately and `wait` after five minutes.',
    schema: z.enum(['refuse', 'wait']),
    default: 'refuse',
  },
  SMTP_URL: {
    doc: 'Mail server: `smtps://user:password@host:465`. Without it, emails go to the outbox.',
    schema: serverAddress(['smtp', 'smtps']),
  },
  MAIL_FROM: {
    doc: 'Sender of emails. Required with `SMTP_URL`.',
    schema: z.string().regex(/^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
      error: 'must be an email address, such as notes@example.org or Lectern <notes@example.org>',
    }),
    default: 'Lectern <lectern@localhost>',
  },
  SECRET: {
    doc: 'Key material for sessions, links in emails, two-factor authentication and the embedded database: at least 32 characters. Default: generated in `DATA_DIR/secret`.',
    schema: z.string().min(32, { error: 'must be at least 32 characters long' }),
  },
  TRUST_PROXY: {
    doc: 'IP addresses or CIDR ranges of your proxies, separated by commas. Lectern trusts their `X-Forwarded-*` headers. Default: none.',
    schema: addresses,
  },
  REQUEST_IDS: {
    doc: '`proxy` takes `X-Request-Id` and `traceparent` from the proxies in `TRUST_PROXY`. `own` ignores them, for a proxy that passes on what clients send.',
    schema: z.enum(['proxy', 'own']),
    default: 'proxy',
  },
  MAX_FILES: { doc: 'Files in one upload.', schema: integer(1, 100), default: '10' },
  MAX_FILE_MB: { doc: 'Size of one file in MB (1 MB is 1,048,576 bytes).', schema: integer(1, 200), default: '25' },
  MAX_UPLOAD_MB_PER_DAY: {
    doc: 'MB that one user may upload in 24 hours. Admins may set less.',
    schema: integer(1, 1_000_000),
    default: '1000',
  },
  MAX_SPOOL_MB: {
    doc: 'MB that the uploads in progress of all users may hold on the local disk, anonymous copies included. More wait.',
    schema: integer(100, 1_000_000),
    default: '4000',
  },
  MIN_FREE_MB: {
    doc: 'MB to keep free on each volume of `DATA_DIR`. Below that, uploads and other changes get 507, while reading, logging in and deleting work. Default: 5 % of the volume, from 256 to 1,024.',
    schema: integer(0, 1_000_000_000),
  },
  MAX_FILES_PER_HOUR: {
    doc: 'Files, or parts of files, that one user may request per hour. Large files are loaded in hundreds of parts.',
    schema: integer(10, 10_000_000),
    default: '20000',
  },
  MAX_READS_PER_HOUR: {
    doc: 'Other reading requests of one user per hour: lists, searches, suggestions.',
    schema: integer(10, 10_000_000),
    default: '10000',
  },
  MAX_CHANGES_PER_HOUR: {
    doc: 'Changes by one user per hour: uploads, edits, likes, reading positions.',
    schema: integer(10, 10_000_000),
    default: '5000',
  },
  ACADEMIC_YEAR_START_MONTH: {
    doc: 'Month in which an academic year begins, 1 to 12.',
    schema: integer(1, 12),
    default: '8',
  },
  OCR: {
    doc: '`on` recognises text on scanned pages (OCR) while a worker is idle: about 5 s of CPU time per page, in a process of up to 300 MB.',
    schema: z.enum(['on', 'off']),
    default: 'on',
  },
  OCR_LANGUAGES: {
    doc: 'Languages of scanned pages, the most common first: any of `eng`, `deu`, `fra`, `spa`.',
    schema: languages,
    default: recognised.join(),
  },
  OPERATOR_NAME: {
    doc: 'Who runs this instance, shown on the front page.',
    schema: z
      .string()
      .max(100, { error: 'must be at most 100 characters long' })
      .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line' }),
  },
  OPERATOR_EMAIL: {
    doc: 'Gets emails about problems of this instance, besides all admins.',
    schema: z.email({ error: 'must be an email address' }),
  },
  OPERATOR_TEXT: {
    doc: 'More about the operator, such as a contact. Plain text of up to 2,000 characters; empty lines separate paragraphs.',
    schema: z.string().max(2000, { error: 'must be at most 2,000 characters long' }),
  },
  OPERATOR_LINKS: {
    doc: 'Links in the footer, the registration form and emails, such as `Privacy notice=https://example.org/privacy,Imprint=https://example.org/imprint`. Addresses are http, https or mailto; a comma in one is `%2C`.',
    schema: linkList,
  },
  OPERATOR_PICTURE: {
    doc: 'Address of a picture of 1,200 × 630 pixels, for link previews in chats.',
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  },
  METRICS_PORT: {
    doc: 'Separate port for Prometheus, at `/metrics`, in every role. 0 picks a free one.',
    schema: integer(0, 65535),
  },
  METRICS_HOST: {
    doc: 'Address of that port. Everyone who reaches it can read the metrics.',
    schema: z.string().min(1),
    default: '127.0.0.1',
  },
  SLOW_QUERY_MS: {
    doc: 'Statements that take at least this long are logged, without their values. 0 logs none.',
    schema: integer(0, 60_000),
    default: '500',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    doc: 'Receives traces by OTLP over HTTP: `http://localhost:4318`. `OTEL_SERVICE_NAME` and `OTEL_EXPORTER_OTLP_HEADERS` apply too.',
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  },
  LOG_LEVEL: {
    doc: 'Lowest level of log lines: `debug`, `info`, `warn`, `error` or `silent`.',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
  },
  RATE_LIMIT: {
    doc: '`off` disables limits on attempts and uploads, for benchmarks. Not allowed with `NODE_ENV=production`.',
    schema: z.enum(['on', 'off']),
    default: 'on',
  },
  NODE_ENV: {
    doc: '`production` requires `PUBLIC_URL` with HTTPS (except for this machine), `SMTP_URL` and limits, and logs JSON.',
    schema: z.enum(['production', 'development', 'test']),
    default: 'development',
  },
} satisfies Record<string, Entry>

/** A variable without a value is null. */
export type Config = ReturnType<typeof readConfig>
export type S3Config = NonNullable<Config['s3']>
export type ClamavConfig = NonNullable<Config['clamav']>

/** Names every invalid variable, one per line, ready to be printed. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  /** EX_CONFIG of sysexits.h: another start does not help. */
  static readonly exitStatus = 78
}

/** Free texts, which may contain quotes. */
const mayBeQuoted: ReadonlySet<string> = new Set(['SECRET', 'OPERATOR_NAME', 'OPERATOR_TEXT'])

/**
 * Returns names that are almost Lectern's, each with the probably intended one. Short names resemble too many others.
 */
export function findMisspelledVariables(env: Record<string, string | undefined>): { name: string; meant: string }[] {
  const ours = Object.keys(configEntries).filter((name) => name.length >= 6)
  return Object.keys(env).flatMap((name) => {
    if (Object.hasOwn(configEntries, name)) return []
    const meant = ours.find((one) => !env[one] && isOneEditApart(name.toUpperCase(), one))
    return meant ? [{ name, meant }] : []
  })
}

/** Whether one letter is inserted, deleted or replaced, or two are swapped; a forgotten underscore is a common case. */
function isOneEditApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const [rest, otherRest] = [one.slice(from), other.slice(from)]
  if (rest.slice(1) === otherRest || rest === otherRest.slice(1) || rest.slice(1) === otherRest.slice(1)) return true
  return rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0]
}

/** The message for a value that is not one of the valid ones; other schemas have their own messages. */
const inWords: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined

/**
 * The only code that reads the environment. An empty value counts as not set.
 * @throws ConfigError
 */
export function readConfig(env: Record<string, string | undefined>) {
  const problems: string[] = []
  function read<N extends keyof typeof configEntries>(name: N): z.output<(typeof configEntries)[N]['schema']> | null {
    const entry: Entry = configEntries[name]
    const text = env[name]?.trim() || entry.default
    if (text === undefined) return null
    if (!mayBeQuoted.has(name) && /^(["']).*\1$/s.test(text)) {
      problems.push(`${name} starts and ends with quotes. Remove them.`)
      return null
    }
    const result = entry.schema.safeParse(text, { error: inWords })
    if (!result.success) {
      problems.push(`${name} ${result.error.issues[0]?.message ?? 'is not valid'} (see docs/configuration.md).`)
      return null
    }
    return result.data as z.output<(typeof configEntries)[N]['schema']>
  }
  /** For entries with a default: null only when a problem was recorded, which is thrown below. */
  const readSet = <N extends keyof typeof configEntries>(name: N) =>
    read(name) as NonNullable<z.output<(typeof configEntries)[N]['schema']>>

  /** Whether the variable has any value, even an invalid one, which is already recorded. */
  const isGiven = (name: keyof typeof configEntries) => Boolean(env[name]?.trim())

  const requires = (name: keyof typeof configEntries, isNeeded: unknown, why: string) => {
    if (isNeeded && !isGiven(name)) problems.push(`${name} must be set ${why}.`)
  }

  function readS3() {
    const [bucket, given, publicEndpoint] = [read('S3_BUCKET'), read('S3_ENDPOINT'), read('S3_PUBLIC_ENDPOINT')]
    const [region, pathStyle] = [readSet('S3_REGION'), read('S3_FORCE_PATH_STYLE')]
    const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')]
    const sessionToken = read('AWS_SESSION_TOKEN')
    const usesPresignedUrls = readSet('S3_PRESIGNED_DOWNLOADS') === 'on'
    if (!isGiven('S3_BUCKET')) {
      // Without a bucket, the AWS keys may serve another purpose, so they are not checked.
      requires('S3_BUCKET', given, 'when S3_ENDPOINT is')
      requires('S3_BUCKET', usesPresignedUrls, 'with S3_PRESIGNED_DOWNLOADS=on: files on disk have no URLs')
      return null
    }
    requires('AWS_SECRET_ACCESS_KEY', accessKeyId, 'when AWS_ACCESS_KEY_ID is')
    requires('AWS_ACCESS_KEY_ID', secretAccessKey, 'when AWS_SECRET_ACCESS_KEY is')
    const endpoint = given ?? `https://s3.${region}.amazonaws.com`
    return {
      endpoint,
      /** The origin of presigned URLs. */
      publicEndpoint: publicEndpoint ?? endpoint,
      bucket: bucket ?? '',
      region,
      forcePathStyle: pathStyle === null ? given !== null : pathStyle === 'on',
      /** If null, the AWS SDK finds the credentials. */
      credentials:
        accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } : null,
      usesPresignedUrls,
    }
  }

  function readClamav() {
    const [address, whenUnavailable] = [read('CLAMAV_URL'), readSet('CLAMAV_WHEN_UNAVAILABLE')]
    requires('CLAMAV_URL', isGiven('CLAMAV_WHEN_UNAVAILABLE'), 'when CLAMAV_WHEN_UNAVAILABLE is')
    return address && { address, whenUnavailable }
  }

  const recognitionLanguages: string[] = readSet('OCR') === 'on' ? readSet('OCR_LANGUAGES') : []
  const config = {
    role: readSet('ROLE'),
    port: readSet('PORT'),
    host: readSet('HOST'),
    drainSeconds: readSet('DRAIN_SECONDS'),
    publicUrl: read('PUBLIC_URL'),
    hstsSubdomains: readSet('HSTS_SUBDOMAINS') === 'on',
    dataDir: resolve(readSet('DATA_DIR') ?? '.'),
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: read('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: read('DATABASE_REPLICA_URL'),
    databasePoolSize: readSet('DATABASE_POOL_SIZE'),
    databasePrepared: readSet('DATABASE_PREPARED') === 'on',
    s3: readS3(),
    clamav: readClamav(),
    smtpUrl: read('SMTP_URL'),
    mailFrom: readSet('MAIL_FROM'),
    secret: read('SECRET'),
    trustProxy: read('TRUST_PROXY') ?? [],
    requestIds: readSet('REQUEST_IDS'),
    maxFiles: readSet('MAX_FILES'),
    maxFileMb: readSet('MAX_FILE_MB'),
    maxUploadMbPerDay: readSet('MAX_UPLOAD_MB_PER_DAY'),
    maxSpoolMb: readSet('MAX_SPOOL_MB'),
    minFreeMb: read('MIN_FREE_MB'),
    maxFilesPerHour: readSet('MAX_FILES_PER_HOUR'),
    maxReadsPerHour: readSet('MAX_READS_PER_HOUR'),
    maxChangesPerHour: readSet('MAX_CHANGES_PER_HOUR'),
    academicYearStartMonth: readSet('ACADEMIC_YEAR_START_MONTH'),
    /** If empty, text is not recognised. */
    recognitionLanguages,
    operatorName: read('OPERATOR_NAME'),
    operatorEmail: read('OPERATOR_EMAIL'),
    operatorText: read('OPERATOR_TEXT'),
    operatorLinks: read('OPERATOR_LINKS') ?? [],
    operatorPicture: read('OPERATOR_PICTURE'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: readSet('METRICS_HOST'),
    slowQueryMs: readSet('SLOW_QUERY_MS'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/$/, '') ?? null,
    logLevel: readSet('LOG_LEVEL'),
    rateLimit: readSet('RATE_LIMIT') === 'on',
    production: readSet('NODE_ENV') === 'production',
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    requires('DATABASE_URL', isGiven(name), `when ${name} is`)
  }
  // A variable with a default is null here if its value is invalid.
  const isPart = config.role === 'web' || config.role === 'worker'
  requires('DATABASE_URL', isPart, `with ROLE=${config.role}`)
  requires('SECRET', isPart, `with ROLE=${config.role}, to the same value on every server of the database`)
  requires('PUBLIC_URL', config.role === 'worker', 'with ROLE=worker')
  for (const name of ['SMTP_URL', 'PUBLIC_URL'] as const) requires(name, config.production, 'with NODE_ENV=production')
  requires('MAIL_FROM', config.smtpUrl, 'when SMTP_URL is')
  const { publicUrl, s3, production } = config
  const s3Name = isGiven('S3_PUBLIC_ENDPOINT') ? 'S3_PUBLIC_ENDPOINT' : 'S3_ENDPOINT'
  const conflicts: [unknown, string][] = [
    [
      config.databaseReplicaUrl && config.databaseReplicaUrl === config.databaseUrl,
      'DATABASE_REPLICA_URL must differ from DATABASE_URL.',
    ],
    [
      production && publicUrl?.startsWith('http:') && !isLocalhostUrl(publicUrl),
      'PUBLIC_URL must use https with NODE_ENV=production, or passwords would be sent unencrypted.',
    ],
    [config.metricsPort && config.metricsPort === config.port, 'METRICS_PORT must differ from PORT.'],
    [production && env.RATE_LIMIT?.trim() === 'off', 'RATE_LIMIT=off is not allowed with NODE_ENV=production.'],
    [
      s3?.usesPresignedUrls && publicUrl?.startsWith('https:') && s3.publicEndpoint.startsWith('http:'),
      `${s3Name} must use https with S3_PRESIGNED_DOWNLOADS=on, because browsers block other URLs on the pages of PUBLIC_URL.`,
    ],
  ]
  problems.push(...conflicts.flatMap(([isWrong, problem]) => (isWrong ? [problem] : [])))
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

export const isLocalhostUrl = (origin: string) =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(origin).hostname)
