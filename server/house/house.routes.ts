import * as endpoints from '../../contract/house.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { changeHouseSettings, getHouseSettings, getRegistrationPolicy } from './house.ts'

export function houseRoutes(app: App, deps: Deps): void {
  serve(app, endpoints.getRegistrationPolicy, () => getRegistrationPolicy(deps.db))

  serve(app, endpoints.getInstanceSettings, () => getHouseSettings(deps))

  serve(app, endpoints.updateInstanceSettings, async ({ viewer, body }) => {
    await changeHouseSettings(deps.db, viewer, body)
    return getHouseSettings(deps)
  })
}
