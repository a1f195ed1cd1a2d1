import * as endpoints from '../../../../packages/contract/instance-settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { changeHouseSettings, getHouseSettings, getRegistrationPolicy } from './instance-settings.ts'

export function houseRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.getRegistrationPolicy, () => getRegistrationPolicy(deps.db))

  registerEndpoint(app, endpoints.getInstanceSettings, () => getHouseSettings(deps))

  registerEndpoint(app, endpoints.updateInstanceSettings, async ({ viewer, body }) => {
    await changeHouseSettings(deps.db, viewer, body)
    return getHouseSettings(deps)
  })
}
