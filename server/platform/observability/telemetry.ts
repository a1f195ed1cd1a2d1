import type { Counter, Histogram } from 'prom-client'
import { createMetrics, type Metrics } from './metrics.ts'
import { getCurrentContext, noTracing, type Tracing } from './tracing.ts'

/** A kind of work: its counter, its duration histogram, and its name in a trace. */
type Kind = { counter: Counter; histogram?: Histogram; name: string; labels: Record<string, string> }

export type Telemetry = {
  metrics: Metrics
  tracing: Tracing
  /** @param outcomeOf returns the outcome of a run that resolves; the default is `ok`. */
  measure<T>(kind: Kind, run: () => Promise<T>, outcomeOf?: (result: T) => string): Promise<T>
}

export function createTelemetry(tracing: Tracing = noTracing): Telemetry {
  const metrics = createMetrics()
  return {
    metrics,
    tracing,
    async measure({ counter, histogram, name, labels }, run, outcomeOf = () => 'ok') {
      const startedAt = performance.now()
      const end = (outcome: string) => {
        const ms = performance.now() - startedAt
        const attributes = { ...labels, outcome }
        counter.inc(attributes)
        histogram?.observe(labels, ms / 1000)
        getCurrentContext()?.span.record({ name, ms, attributes, hasFailed: outcome === 'failed' })
      }
      try {
        const result = await run()
        end(outcomeOf(result))
        return result
      } catch (error) {
        end('failed')
        throw error
      }
    },
  }
}
