import * as endpoints from '../../contract/settings.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { disownChange } from './alerts.ts'

export function alertRoutes(app: App, deps: Deps): void {
  serve(app, endpoints.secureAccount, async ({ body }) => ({ resetToken: await disownChange(deps, body.token) }))
}
