import { defineEndpoint } from './endpoint.ts'
import { clientConfig, healthAnswer } from './operation.ts'

export const getClientConfig = defineEndpoint({
  method: 'GET',
  path: '/api/config',
  tag: 'operation',
  summary: 'Get the limits of this server for the pages',
  public: true,
  answers: { 200: clientConfig },
})

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  tag: 'operation',
  summary: 'Check that the process is running',
  public: true,
  answers: { 200: healthAnswer },
})

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  tag: 'operation',
  summary: 'Check that the database and the storage are available',
  public: true,
  answers: { 200: healthAnswer },
})
