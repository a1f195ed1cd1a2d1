import * as endpoints from '../../../../packages/contract/instance-settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { getInstanceSettings, getRegistrationPolicy, updateInstanceSettings } from './instance-settings.ts'

export function instanceSettingsRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.getRegistrationPolicy, () => getRegistrationPolicy(deps.db))

  registerEndpoint(app, endpoints.getInstanceSettings, () => getInstanceSettings(deps))

  registerEndpoint(app, endpoints.updateInstanceSettings, async ({ viewer, body }) => {
    await updateInstanceSettings(deps.db, viewer, body)
    return getInstanceSettings(deps)
  })
}
