import { defineEndpoint, lazySchemas } from './endpoint.ts'

const attention = lazySchemas(() => import('./attention.ts'))

export const listProblems = defineEndpoint({
  method: 'GET',
  path: '/api/admin/problems',
  tag: 'administration',
  summary: 'List what needs attention',
  description:
    'For admins: parts that do not work, backups, emails, jobs and virus signatures. Checked every five minutes.',
  role: 'admin',
  responses: { 200: attention('problems') },
})
