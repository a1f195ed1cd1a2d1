import { getAbout } from '../../../../packages/contract/about.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createLibrarySize, keptForSeconds } from './library-size.ts'

export function aboutRoutes(app: App, { db, config }: Pick<Deps, 'db' | 'config'>): void {
  const measure = createLibrarySize(db)
  registerEndpoint(app, getAbout, async (_request, reply) => {
    const size = await measure()
    // The response is the same for every caller, so any cache may store it.
    reply.header('cache-control', `public, max-age=${keptForSeconds}`)
    return { ...size, operatorName: config.operatorName, operatorText: config.operatorText }
  })
}
