import {
  type Context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { waitUpTo } from '../db/waiting.ts'
import { type Log, throttleErrors } from './log.ts'
import type { Tracing } from './telemetry.ts'

const sendEveryMs = 1_000
/** The time at shutdown for a collector that is unavailable. */
const closeTimeoutMs = 1_000

/**
 * Sends spans by OTLP over HTTP. The library itself reads other `OTEL_…` variables (headers, service name, timeouts).
 */
export function openOpenTelemetry(endpoint: string, log: Log): Tracing {
  const report = throttleErrors((error, times) => log.warn({ times }, `Couldn’t export traces: ${error.message}`))
  const warn = (message: string) => report(new Error(reasonOf(message)))
  const silent = () => {}
  diag.setLogger(
    { error: warn, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const resource = resourceFromAttributes({ 'service.name': 'lectern' })
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new TracerProvider({
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs })],
  })
  const tracer = provider.getTracer('lectern')

  return {
    begin(kind, name, parent) {
      const kinds = { request: SpanKind.SERVER, job: SpanKind.CONSUMER }
      const span = tracer.startSpan(name, { kind: kinds[kind] }, contextOf(parent))
      const context = trace.setSpan(ROOT_CONTEXT, span)
      return {
        record({ name, ms, attributes, hasFailed }) {
          const endedAt = Date.now()
          const piece = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: endedAt - ms }, context)
          if (hasFailed) piece.setStatus({ code: SpanStatusCode.ERROR })
          piece.end(endedAt)
        },
        end({ name, attributes, hasFailed }) {
          if (name) span.updateName(name)
          span.setAttributes(attributes)
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () => waitUpTo(closeTimeoutMs, provider.shutdown().catch(warn)),
  }
}

/** Parses the W3C format: version, trace, span and flags. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? '') ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}

/** The library reports errors as JSON, with a stack. */
function reasonOf(message: string): string {
  try {
    const { code, message: reason, name } = JSON.parse(message)
    return reason || code || name
  } catch {
    return message
  }
}
