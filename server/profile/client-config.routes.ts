import { getClientConfig } from '../../contract/operation.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'

export function clientConfigRoutes(app: App, { config }: Deps): void {
  serve(app, getClientConfig, async () => ({
    maxFiles: config.maxFiles,
    maxFileMb: config.maxFileMb,
    academicYearStartMonth: config.academicYearStartMonth,
  }))
}
