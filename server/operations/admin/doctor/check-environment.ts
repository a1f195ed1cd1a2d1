import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, findMisspelledVariables, isLocalhostUrl } from '../../../config.ts'
import { createSmtpMailer, verifySmtp } from '../../../platform/mail/smtp.ts'
import { describeError, type Log } from '../../../platform/observability/log.ts'
import { assertWritable } from '../../../platform/storage/storage.ts'
import { asSentence, defineCheck, type Finding, failure, ok, warning } from './finding.ts'

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

/** Checks that the folders of DATA_DIR are writable, have space and keep the secret private. */
export const checkDisk = defineCheck(async function* ({ dataDir, maxFiles, maxFileMb, s3 }: Config) {
  const names = ['spool', ...(s3 ? [] : ['files'])]
  for (const folder of ['', ...names].map((name) => join(dataDir, name))) {
    if (!(await stat(folder).catch(() => null))) {
      yield warning(`${folder} doesn’t exist yet. The first start creates it`)
      continue
    }
    try {
      await assertWritable(folder)
    } catch (error) {
      const reason = asSentence(describeError(error))
      yield failure(`Can’t write to ${folder}: ${reason} Make the user Lectern runs as its owner`)
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
    const reason = asSentence(describeError(error))
    return yield failure(`Can’t log in to the mail server ${host}: ${reason} ${adviceOn(error)}`)
  }
  yield ok(`Logged in to the mail server ${host}`)
  if (!sendTestTo) return yield ok('To test delivery, run: lectern admin doctor --send-test ADDRESS')
  const mailer = createSmtpMailer({ url: smtpUrl, from, log })
  const text = 'This test email was sent by lectern admin doctor.'
  try {
    await mailer.send({ to: sendTestTo, subject: 'Test email from Lectern', text, html: `<p>${text}</p>` })
    yield ok(`Test email to ${sendTestTo} accepted. If it doesn’t arrive, check SPF and DKIM for MAIL_FROM’s domain`)
  } catch (error) {
    const reason = asSentence(describeError(error))
    yield failure(
      `Test email to ${sendTestTo} rejected: ${reason} Check MAIL_FROM, and what the user of SMTP_URL may send`,
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
    const cause = error instanceof Error && error.cause ? error.cause : error
    yield warning(`${host} in OTEL_EXPORTER_OTLP_ENDPOINT isn’t responding: ${describeError(cause)}`)
  }
})
