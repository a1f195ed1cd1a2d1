import { listProblems } from '../../../../packages/contract/attention.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import * as queries from './attention.queries.ts'

export function attentionRoutes(app: App, { db }: Deps): void {
  registerEndpoint(app, listProblems, async () => {
    const problems = await queries.listProblems(db)
    return { problems: problems.map(({ since, ...problem }) => ({ ...problem, since: since.toISOString() })) }
  })
}
