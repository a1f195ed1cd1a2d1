import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { uploadNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { getHealth } from '../../../../packages/contract/system.endpoints.ts'
import { type Config, findMisspelledVariables, isLocalhostUrl } from '../../../config.ts'
import { ageOfSignaturesMs, getClamdVersion, scanWithClamd } from '../../../features/uploads/antivirus/clamd.ts'
import { connect } from '../../../platform/db/client.ts'
import { createSmtpMailer, verifySmtp } from '../../../platform/mail/mailer.ts'
import { describeError, type Log } from '../../../platform/observability/log.ts'
import { openStorage } from '../../../platform/storage/open-storage.ts'
import { assertWritable, type FileStorage, newFileKey } from '../../../platform/storage/storage.ts'
import { hasTable } from '../../backup/tables.queries.ts'

/** The result of a check, with advice if something is wrong. */
export type Finding = { kind: 'ok' | 'warning' | 'failure'; text: string }

export const ok = (text: string): Finding => ({ kind: 'ok', text })
/** It works but is probably not intended. */
export const warning = (text: string): Finding => ({ kind: 'warning', text })
export const failure = (text: string): Finding => ({ kind: 'failure', text })

/** Defines a check that yields its findings, and ends where further ones make no sense. */
export const defineCheck =
  <Given extends unknown[]>(check: (...given: Given) => AsyncGenerator<Finding>) =>
  (...given: Given): Promise<Finding[]> =>
    Array.fromAsync(check(...given))

/** Adds a full stop if it is missing, because error messages of others may or may not end with one. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** `fetch` throws a general error with the actual one as its cause. */
const causeOf = (error: unknown) => (error instanceof Error && error.cause) || error
const reasonOf = (error: unknown) => asSentence(describeError(error))

/** @throws when the database cannot be reached. */
export const connectTo = (connectionString: string) =>
  connect({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'lectern-doctor' })

const aMinuteMs = 60_000

/** Compares another clock with this machine's at the middle of the request. */
export function compareClocks(whose: string, theirs: Date, askedAt: number, answeredAt = Date.now()): Finding {
  const apartMs = theirs.getTime() - (askedAt + answeredAt) / 2
  const seconds = Math.round(Math.abs(apartMs) / 1000)
  if (seconds * 1000 < aMinuteMs / 6) return ok(`The clock of ${whose} matches this machine’s`)
  const text = `The clock of ${whose} is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine’s. Use NTP on both`
  // Access tokens have a minute of tolerance.
  return seconds * 1000 < aMinuteMs ? warning(text) : failure(text)
}

/** Compares the clock of a web server by its response. */
function compareClockOf(whose: string, { headers }: Response, askedAt: number): Finding[] {
  const date = headers.get('date')
  return date ? [compareClocks(whose, new Date(date), askedAt)] : []
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
/** Whether a secret was copied from an example or typed carelessly. */
const isGuessable = (secret: string) =>
  new Set(secret).size < 10 || /change.?me|example|secret|password|lectern/i.test(secret)

/** Reports settings that work but cause problems later. */
export function checkSettings(config: Config, env: Record<string, string | undefined>): Finding[] {
  const { publicUrl, production, trustProxy, host, secret, databaseUrl, role, metricsPort, metricsHost } = config
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const found = findMisspelledVariables(env).map(({ name, meant }) =>
    warning(`Unknown variable ${name}. Did you mean ${meant}?`),
  )
  if (!production) found.push(warning('NODE_ENV isn’t production, so development-only features are enabled'))
  if (publicUrl === null) found.push(warning('PUBLIC_URL isn’t set, so links in emails only work on this machine'))
  else if (!isHttps && isLocalhostUrl(publicUrl)) {
    found.push(warning(`PUBLIC_URL is ${publicUrl}, so links in emails only work on this machine`))
  } else if (!isHttps) found.push(warning(`PUBLIC_URL is ${publicUrl}: passwords are sent unencrypted`))
  if (isHttps && role !== 'worker' && trustProxy.length === 0) {
    found.push(failure('TRUST_PROXY isn’t set although PUBLIC_URL is https: all users share one login limit'))
  }
  for (const range of trustProxy.filter((range) => /\/[0-7]$/.test(range))) {
    found.push(failure(`TRUST_PROXY contains ${range}: clients can fake their address. List only your proxy`))
  }
  if (!loopback.has(host) && !isHttps) {
    found.push(warning(`HOST is ${host}, and PUBLIC_URL isn’t https: traffic to this machine is unencrypted`))
  }
  if (secret && isGuessable(secret)) {
    found.push(failure('SECRET is guessable. Generate one with: openssl rand -hex 32'))
  }
  if (databaseUrl && !secret) {
    found.push(warning('SECRET isn’t set: a second server on this database would log users out'))
  }
  if (metricsPort !== null && !loopback.has(metricsHost)) {
    found.push(warning(`METRICS_HOST is ${metricsHost}: make sure only Prometheus can reach METRICS_PORT`))
  }
  return found.length > 0 ? found : [ok('Settings look good')]
}

const gigabyte = 2 ** 30
const littleShare = 0.1
const inGigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`

const notYet = (folder: string) => `${folder} doesn’t exist yet. The first start creates it`

/** Checks that the folders of DATA_DIR are writable, have space and keep the secret private. */
export const checkDisk = defineCheck(async function* ({ dataDir, maxFiles, maxFileMb, s3 }: Config) {
  const files = join(dataDir, 'files')
  for (const folder of [dataDir, join(dataDir, 'spool'), ...(s3 ? [] : [files])]) {
    if (!(await stat(folder).catch(() => null))) {
      // The check of the storage knows whether the folder of files existed.
      if (folder !== files) yield warning(notYet(folder))
      continue
    }
    try {
      await assertWritable(folder)
    } catch (error) {
      yield failure(`Can’t write to ${folder}: ${reasonOf(error)} Make the user Lectern runs as its owner`)
    }
  }
  const volume = await statfs(dataDir).catch(() => null)
  if (volume) {
    const [free, size] = [volume.bavail * volume.bsize, volume.blocks * volume.bsize]
    const text = `${inGigabytes(free)} of ${inGigabytes(size)} are free on the disk of ${dataDir}`
    const isLittle = free < littleShare * size && free < 20 * gigabyte
    if (free < Math.max(gigabyte, maxFiles * maxFileMb * 2 ** 20))
      yield failure(`${text}: uploads will fail. Free up space`)
    else yield isLittle ? warning(`${text}: free up space soon`) : ok(text)
  }
  const secret = join(dataDir, 'secret')
  const facts = await stat(secret).catch(() => null)
  if (facts && (facts.mode & 0o077) !== 0)
    yield failure(`${secret} is readable by others. Run chmod 600, and replace it if someone may have read it`)
})

/** @param sendTestTo address of a test mail, or null. */
export const checkMail = defineCheck(async function* (config: Config, sendTestTo: string | null, log: Log) {
  const { smtpUrl, mailFrom: from } = config
  if (!smtpUrl) {
    const text = 'SMTP_URL isn’t set. Email goes to DATA_DIR/outbox, so nobody else can register'
    return yield sendTestTo ? failure(text) : warning(text)
  }
  const { host } = new URL(smtpUrl)
  try {
    await verifySmtp(smtpUrl)
  } catch (error) {
    return yield failure(`Can’t log in to the mail server ${host}: ${reasonOf(error)} ${adviceOn(error)}`)
  }
  yield ok(`Logged in to the mail server ${host}`)
  if (!sendTestTo) return yield ok('To test delivery, run: lectern admin doctor --send-test ADDRESS')
  const mailer = createSmtpMailer({ url: smtpUrl, from, log })
  const text = 'This test email was sent by lectern admin doctor.'
  try {
    await mailer.send({ to: sendTestTo, subject: 'Test email from Lectern', text, html: `<p>${text}</p>` })
    yield ok(`Test email to ${sendTestTo} accepted. If it doesn’t arrive, check SPF and DKIM for MAIL_FROM’s domain`)
  } catch (error) {
    yield failure(
      `Test email to ${sendTestTo} rejected: ${reasonOf(error)} Check MAIL_FROM, and what the user of SMTP_URL may send`,
    )
  } finally {
    await mailer.close()
  }
})

/** Advice by the error codes of nodemailer and the system. */
const advice: Record<string, string> = {
  EAUTH: 'Check user and password in SMTP_URL. Percent-encode characters such as #',
  EDNS: 'The host in SMTP_URL can’t be resolved',
  ENOTFOUND: 'The host in SMTP_URL can’t be resolved',
  ECONNECTION: 'Check host and port in SMTP_URL, and firewalls: many providers block port 25',
  ECONNREFUSED: 'Check host and port in SMTP_URL',
  ESOCKET: 'Check host and port in SMTP_URL, and whether it is smtps:// (465) or smtp:// (587)',
  ETIMEDOUT: 'Check host and port in SMTP_URL, and firewalls: many providers block port 25',
  ETLS: 'The server doesn’t offer TLS. To send the password anyway, add ?requireTLS=false',
}

function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return advice[code] ?? 'Check SMTP_URL'
}

/** Checks whether traces arrive. Nothing depends on them, so the result is never bad. */
export const checkTraces = defineCheck(async function* ({ otlpEndpoint }: Config) {
  if (!otlpEndpoint) return
  const { host } = new URL(otlpEndpoint)
  try {
    const { ok: isOk, status } = await fetch(`${otlpEndpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(5_000),
    })
    // Only the OpenTelemetry library knows the headers that a collector requires.
    if (isOk || status === 401 || status === 403) yield ok(`${host} accepts traces`)
    else yield warning(`${host} returned ${status} for traces. Check OTEL_EXPORTER_OTLP_ENDPOINT`)
  } catch (error) {
    yield warning(`${host} in OTEL_EXPORTER_OTLP_ENDPOINT isn’t responding: ${describeError(causeOf(error))}`)
  }
})

/** @param databaseUrl null when no database can tell which storage is its own. */
export const checkStorage = defineCheck(async function* (config: Config, databaseUrl: string | null) {
  const name = config.s3 ? `the bucket ${config.s3.bucket}` : join(config.dataDir, 'files')
  // The database check already reports an error of the database.
  const marker = databaseUrl && (await findMarker(databaseUrl).catch(() => null))
  // A storage that was never used is not created here.
  if (!config.s3 && !existsSync(name)) {
    const isLost = `${name} doesn’t exist, although this database has used it. Restore DATA_DIR, or mount the missing disk`
    return yield marker ? failure(isLost) : warning(notYet(name))
  }
  let files: FileStorage
  try {
    files = await openStorage(config)
    await tryOut(files)
  } catch (error) {
    return yield failure(`Can’t store files in ${name}: ${describeError(error)}`)
  }
  yield ok(`Wrote, read and deleted a test file in ${name}`)
  const isOwn =
    marker &&
    (await files.readMarker().then(
      (theirs) => theirs === marker,
      () => null,
    ))
  if (isOwn) yield ok('The storage belongs to this database')
  if (isOwn === false) {
    yield failure(
      `${name} belongs to another database, or is empty. Restore DATA_DIR or S3_BUCKET, or mount the missing disk. If the files really are here, run: lectern admin storage adopt`,
    )
  }
  if (!config.s3) return
  const askedAt = Date.now()
  try {
    const answer = await fetch(config.s3.endpoint, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
    yield* compareClockOf('the file storage', answer, askedAt)
  } catch (error) {
    yield warning(`Couldn’t read the clock of the file storage: ${describeError(error)}`)
  }
})

/** Writes, reads and deletes a file in the same way as an upload. */
async function tryOut(files: FileStorage): Promise<void> {
  const [key, content] = [newFileKey(), randomBytes(1024)]
  const path = join(tmpdir(), `lectern-doctor-${key}`)
  const sha256 = createHash('sha256').update(content).digest()
  try {
    await files.check()
    await writeFile(path, content, { mode: 0o600 })
    await files.put(key, { path, bytes: content.length, sha256 })
    const stored = await files.get(key)
    if (!stored || !(await buffer(stored)).equals(content))
      throw new Error('The file read differs from the file written')
  } finally {
    await files.delete(key).catch(() => {})
    await rm(path, { force: true })
  }
}

/** Returns the marker of the database's storage. */
async function findMarker(databaseUrl: string): Promise<string | null> {
  await using client = await connectTo(databaseUrl)
  if (!(await hasTable(client, 'public.storage_identity'))) return null
  const { rows } = await client.query<{ marker: string }>('SELECT marker FROM storage_identity')
  return rows[0]?.marker ?? null
}

/**
 * The harmless EICAR test file, which every virus scanner detects. It is split, because a scanner may read this source
 * file too.
 */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!', '$H+H*'].join('')
const dayMs = 24 * 3_600_000
const maxSignatureDays = 7
const limits = 'StreamMaxLength, MaxFileSize and MaxScanSize in clamd.conf'

export const checkAntivirus = defineCheck(async function* ({
  clamav,
  maxFileMb,
}: Pick<Config, 'clamav' | 'maxFileMb'>) {
  if (!clamav) return
  const { address } = clamav
  try {
    const version = await getClamdVersion(address)
    const scan = (bytes: number) => scanWithClamd(address, testFile(bytes), new AbortController().signal)
    const [small, large] = [await scan(1024), await scan(maxFileMb * 2 ** 20)]
    yield ok(`clamd is running: ${version}`)
    const days = Math.floor(ageOfSignaturesMs(version) / dayMs)
    if (Number.isNaN(days)) yield warning('clamd reports no age of its signatures. Check freshclam')
    if (days >= maxSignatureDays) yield warning(`clamd’s signatures are ${days} days old. Check freshclam`)
    const size = `A file of ${maxFileMb} MB`
    if (small.kind !== 'infected') yield failure('clamd doesn’t detect the EICAR test file. Check its signatures')
    else if (large.kind === 'infected') yield ok(`It detects the EICAR test file, in files of up to ${maxFileMb} MB`)
    else if (large.kind === 'unscannable') yield failure(`${size} is rejected: raise ${limits}, or lower MAX_FILE_MB`)
    else yield failure(`${size} isn’t scanned: raise ${limits}, or lower MAX_FILE_MB. Check AlertExceedsMax as well`)
  } catch (error) {
    const text = `Uploads fail: ${describeError(error)}`
    yield failure(`${text}. Check that clamd is running, CLAMAV_URL, and permissions on its socket`)
  }
})

/** Yields a file of this size that begins with the EICAR test. */
async function* testFile(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(eicar)
  for (let left = bytes - eicar.length; left > 0; left -= 2 ** 16) yield Buffer.alloc(Math.min(left, 2 ** 16))
}

const timeoutMs = 10_000
const dripMs = 100

/** Checks that requests to PUBLIC_URL reach Lectern, and uploads too. */
export const checkPublicUrl = defineCheck(async function* ({ publicUrl, maxFiles, maxFileMb }: Config) {
  if (!publicUrl) return
  const askedAt = Date.now()
  const url = `${publicUrl}${getHealth.path}`
  let answer: Response
  try {
    answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    return yield failure(
      `Can’t reach ${publicUrl}: ${reasonOf(causeOf(error))} Check the server, DNS, firewall and certificate`,
    )
  }
  const body = await answer.text()
  if (answer.status >= 300 && answer.status < 400)
    return yield failure(`${publicUrl} redirects to ${answer.headers.get('location')}. Set PUBLIC_URL to that address`)
  if (answer.status !== 200 || body !== '{"status":"ok"}')
    return yield failure(`${url} returned ${answer.status}, not from Lectern. Make the proxy forward all paths to PORT`)
  yield ok(`${publicUrl} reaches Lectern`)
  yield* compareClockOf('the web server', answer, askedAt)
  yield await checkUploads(publicUrl, (maxFiles * maxFileMb + 1) * 2 ** 20)
})

/** Announces an upload without sending it: a proxy refuses its size immediately, and Lectern the missing login. */
async function checkUploads(publicUrl: string, bytes: number): Promise<Finding> {
  const megabytes = Math.ceil(bytes / 2 ** 20)
  try {
    const status = await announceUpload(`${publicUrl}${uploadNotes.path}`, bytes)
    if (status === 401) return ok(`Uploads of ${megabytes} MB reach Lectern`)
    if (status !== 413)
      return warning(`An upload without a login returned ${status}, but Lectern returns 401. Check the proxy`)
    return failure(
      `An upload of ${megabytes} MB is rejected before it reaches Lectern. Allow request bodies of MAX_FILES × MAX_FILE_MB + 1 MB (nginx: client_max_body_size ${megabytes}m)`,
    )
  } catch (error) {
    return warning(`Couldn’t test uploads: ${describeError(error)}`)
  }
}

function announceUpload(url: string, bytes: number): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes }
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers }, ({ statusCode = 0 }) => {
      resolve(statusCode)
      request.destroy()
    })
    // Over HTTP/1, Caddy holds back a response while it waits for more of a request body.
    const drip = setInterval(() => request.write('x'), dripMs)
    const late = setTimeout(() => request.destroy(new Error('The request timed out')), timeoutMs)
    request.on('close', () => {
      clearInterval(drip)
      clearTimeout(late)
    })
    request.on('error', reject)
    request.flushHeaders()
  })
}
