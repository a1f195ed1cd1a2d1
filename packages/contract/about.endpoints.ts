import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('operation')

const schemas = lazySchemas(() => import('./about.ts'))

export const getAbout = define('GET', '/api/about', {
  summary: 'Get the size of the library and the operator',
  description: 'Counts are rounded down to two digits and can be ten minutes old. Counts below ten are 0.',
  public: true,
  responses: { 200: schemas('about') },
})
