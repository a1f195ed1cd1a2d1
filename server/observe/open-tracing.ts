import type { Log } from '../log.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** What traces is loaded only where traces go somewhere. */
export async function openTracing(endpoint: string | null, log: Log): Promise<Tracing> {
  if (!endpoint) return noTracing
  const { openOpenTelemetry } = await import('./open-telemetry.ts')
  return openOpenTelemetry(endpoint, log)
}
