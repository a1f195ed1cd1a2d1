import { getAuthorStats } from '../../../../packages/contract/author-stats.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { describeAuthorStats } from './author-stats.ts'

export function authorStatsRoutes(app: App, { db }: Deps): void {
  registerEndpoint(app, getAuthorStats, ({ viewer }) => describeAuthorStats(db, viewer))
}
