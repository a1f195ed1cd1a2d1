import { clientConfig } from '../../contract/sessions.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'

export function clientConfigRoutes(app: App, { config }: Deps): void {
  app.get(
    '/api/config',
    {
      schema: {
        tags: ['operation'],
        summary: 'The limits this server keeps, for the pages',
        response: { 200: clientConfig },
      },
    },
    async () => ({
      maxFiles: config.maxFiles,
      maxFileMb: config.maxFileMb,
      academicYearStartMonth: config.academicYearStartMonth,
    }),
  )
}
