import { listProblems } from '../../contract/attention.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import * as queries from './attention.queries.ts'

export function attentionRoutes(app: App, { db }: Deps): void {
  serve(app, listProblems, async () => {
    const problems = await queries.listProblems(db)
    return { problems: problems.map(({ since, ...problem }) => ({ ...problem, since: since.toISOString() })) }
  })
}
