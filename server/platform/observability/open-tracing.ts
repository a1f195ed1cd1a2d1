import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config.ts'
import { hasCode, type Log } from './log.ts'
import { noTracing, type Tracing } from './tracing.ts'

/**
 * Loads OpenTelemetry only where traces are sent. It is not part of an installation.
 * @throws ConfigError when it is missing.
 */
export async function openTracing(endpoint: string | null, log: Log): Promise<Tracing> {
  if (!endpoint) return noTracing
  const { openOpenTelemetry } = await import('./open-telemetry.ts').catch((error: Error) => {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') || !error.message.includes('@opentelemetry/')) throw error
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed. Install it beside Lectern, ' +
        `with --global if Lectern is installed globally: npm install ${listPackages().join(' ')}`,
    )
  })
  return openOpenTelemetry(endpoint, log)
}

/** Returns the packages with the versions that Lectern works with. */
function listPackages(): string[] {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return Object.entries<string>(manifest.peerDependencies).map(([name, version]) => `"${name}@${version}"`)
}
