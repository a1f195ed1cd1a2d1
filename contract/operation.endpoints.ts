import { defineEndpoint } from './endpoint.ts'
import { clientConfig, healthAnswer } from './operation.ts'

export const getClientConfig = defineEndpoint({
  method: 'GET',
  path: '/api/config',
  tag: 'operation',
  summary: 'The limits this server keeps, for the pages',
  public: true,
  answers: { 200: clientConfig },
})

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  tag: 'operation',
  summary: 'The process serves',
  public: true,
  answers: { 200: healthAnswer },
})

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  tag: 'operation',
  summary: 'Database and storage answer',
  public: true,
  answers: { 200: healthAnswer },
})
