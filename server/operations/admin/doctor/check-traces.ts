import type { Config } from '../../../config.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { type Finding, ok, warning } from './finding.ts'

const timeoutMs = 5_000

/** Checks whether traces arrive. Nothing depends on them, so the result is never bad. */
export async function checkTraces({ otlpEndpoint }: Config): Promise<Finding[]> {
  if (!otlpEndpoint) return []
  const { host } = new URL(otlpEndpoint)
  try {
    const { ok: isOk, status } = await fetch(`${otlpEndpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Only the OpenTelemetry library knows the headers that a collector requires.
    if (isOk || status === 401 || status === 403) return [ok(`${host} accepts traces`)]
    return [warning(`${host} returned ${status} for traces. Check OTEL_EXPORTER_OTLP_ENDPOINT`)]
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    return [warning(`${host} in OTEL_EXPORTER_OTLP_ENDPOINT isn’t responding: ${describeError(cause)}`)]
  }
}
