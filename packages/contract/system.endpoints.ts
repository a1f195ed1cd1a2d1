import { endpointsOf } from './endpoint.ts'
import { clientConfig, healthResponse, readinessResponse } from './system.ts'

const define = endpointsOf('operation')

export const getClientConfig = define('GET', '/api/config', {
  summary: 'Get the limits of this server for the pages',
  public: true,
  responses: { 200: clientConfig },
})

export const getHealth = define('GET', '/healthz', {
  summary: 'Check that the process is running',
  public: true,
  responses: { 200: healthResponse },
})

export const getReadiness = define('GET', '/readyz', {
  summary: 'Check that the server can take requests',
  description:
    'For load balancers: 503 while the server starts or drains, or has no database to read from. Both responses name the state of each part; in a refusal, `fields` does.',
  public: true,
  responses: { 200: readinessResponse },
})
