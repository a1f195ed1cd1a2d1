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
