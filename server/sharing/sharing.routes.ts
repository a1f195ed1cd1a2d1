import { getAuthorStats } from '../../contract/sharing.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { describeSharing } from './sharing.ts'

export function sharingRoutes(app: App, { db }: Deps): void {
  serve(app, getAuthorStats, ({ viewer }) => describeSharing(db, viewer))
}
