import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { secureAccount } from './alerts.ts'

export function securityAlertRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.secureAccount, async ({ body }) => ({
    resetToken: await secureAccount(deps, body.token),
  }))
}
