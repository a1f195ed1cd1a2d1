import type { RequestListener } from 'node:http'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Deps } from '../../dependencies.ts'
import { version } from '../../platform/db/version.ts'
import { createServer } from '../../platform/http/node-http.ts'
import { describeError } from '../../platform/observability/log.ts'
import { createGaugeCollector } from './collect-gauges.ts'

export type MetricsServer = { address: string; close(): Promise<void> }

/** The process metrics that alerts and the dashboard use. */
const ofProcess = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  // Updating this metric also sets the one above.
  'nodejs_eventloop_lag_seconds',
]

/**
 * Serves `/metrics` on a separate port that no proxy forwards to: users cannot read it, and it stays available when the
 * server is overloaded.
 */
export async function serveMetrics(deps: Deps, port: number): Promise<MetricsServer> {
  const { config, log, telemetry } = deps
  const { registry, build } = telemetry.metrics
  const all = new Registry()
  collectDefaultMetrics({ register: all })
  for (const name of ofProcess) {
    const metric = all.getSingleMetric(name)
    if (metric) registry.registerMetric(metric)
  }
  build.set({ version, role: config.role }, 1)
  const lookUp = createGaugeCollector(deps)

  const answer: RequestListener = async ({ method, url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end()
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    await lookUp()
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  }
  const server = createServer((request, response) => {
    void Promise.resolve(answer(request, response)).catch((error) => {
      log.warn(`Couldn’t collect metrics: ${describeError(error)}`)
      response.destroy()
    })
  })
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, config.metricsHost, resolve)
  await listening
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  const host = config.metricsHost.includes(':') ? `[${config.metricsHost}]` : config.metricsHost
  return {
    address: `http://${host}:${boundPort}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
