import { defineEndpoint, lazily } from './endpoint.ts'

const schemas = lazily(() => import('./about.ts'))

export const getAbout = defineEndpoint({
  method: 'GET',
  path: '/api/about',
  tag: 'operation',
  summary: 'How much is here, and who runs it',
  description: 'Counts are rounded down to two digits and may be ten minutes old; below ten they are 0.',
  public: true,
  answers: { 200: schemas('about') },
})
