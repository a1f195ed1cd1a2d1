import { getClientConfig } from '../../../../packages/contract/system.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'

export function clientConfigRoutes(app: App, { config }: Deps): void {
  registerEndpoint(app, getClientConfig, async () => ({
    maxFiles: config.maxFiles,
    maxFileMb: config.maxFileMb,
    academicYearStartMonth: config.academicYearStartMonth,
  }))
}
