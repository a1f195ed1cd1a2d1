import * as endpoints from '../../../../packages/contract/instance-settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { serve } from '../../../platform/http/endpoints.ts'
import { changeHouseSettings, getHouseSettings, getRegistrationPolicy } from './instance-settings.ts'

export function houseRoutes(app: App, deps: Deps): void {
  serve(app, endpoints.getRegistrationPolicy, () => getRegistrationPolicy(deps.db))

  serve(app, endpoints.getInstanceSettings, () => getHouseSettings(deps))

  serve(app, endpoints.updateInstanceSettings, async ({ viewer, body }) => {
    await changeHouseSettings(deps.db, viewer, body)
    return getHouseSettings(deps)
  })
}
