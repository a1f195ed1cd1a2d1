import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('administration')

const attention = lazySchemas(() => import('./attention.ts'))

export const listProblems = define('GET', '/api/admin/problems', {
  summary: 'List what needs attention',
  description: 'Parts that do not work, backups, emails, jobs and virus signatures. Checked every five minutes.',
  role: 'admin',
  responses: { 200: attention('problems') },
})
