import { type Config, findMisspelledVariables, isLocalhostUrl } from '../../../config.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
/** Whether a secret was copied from an example or typed carelessly. */
const isGuessable = (secret: string) =>
  new Set(secret).size < 10 || /change.?me|example|secret|password|lectern/i.test(secret)

/** Reports settings that work but cause problems later. */
export function checkSettings(config: Config, env: Record<string, string | undefined>): Finding[] {
  const { publicUrl, production, trustProxy, host, secret, databaseUrl, role, metricsPort, metricsHost } = config
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const found = findMisspelledVariables(env).map(({ name, meant }) =>
    warning(`${name} is set, and means nothing here. Is it ${meant}?`),
  )
  if (!production) found.push(warning('NODE_ENV is not production: what is only fit for trying things out is allowed'))
  if (publicUrl === null) found.push(warning('PUBLIC_URL is not set: links in mails lead to this machine alone'))
  else if (!isHttps && isLocalhostUrl(publicUrl)) {
    found.push(warning(`PUBLIC_URL is ${publicUrl}: links in mails lead to this machine alone`))
  } else if (!isHttps) found.push(warning(`PUBLIC_URL is ${publicUrl}: passwords go over the network for all to read`))
  if (isHttps && role !== 'worker' && trustProxy.length === 0) {
    found.push(
      failure(
        'TRUST_PROXY is not set, though something before Lectern speaks https: all students share one limit on logins',
      ),
    )
  }
  for (const range of trustProxy.filter((range) => /\/[0-7]$/.test(range))) {
    found.push(failure(`TRUST_PROXY names ${range}: anybody can say to be anybody. Name your proxy alone`))
  }
  if (!loopback.has(host) && !isHttps) {
    found.push(warning(`HOST is ${host}, and PUBLIC_URL is not https: whoever reaches this machine reads what is said`))
  }
  if (secret && isGuessable(secret)) {
    found.push(failure('SECRET can be guessed: whoever does so is every student. Make one with: openssl rand -hex 32'))
  }
  if (databaseUrl && !secret) {
    found.push(
      warning('SECRET is not set: a second server of this database would log the students of the first one out'),
    )
  }
  if (metricsPort !== null && !loopback.has(metricsHost)) {
    found.push(warning(`METRICS_HOST is ${metricsHost}: see that only Prometheus reaches METRICS_PORT`))
  }
  return found.length > 0 ? found : [ok('The environment has what a server for others needs')]
}
