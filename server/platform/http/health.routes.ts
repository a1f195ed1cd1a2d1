import { errorMessage } from '../../../packages/contract/errors.ts'
import { getHealth, getReadiness } from '../../../packages/contract/system.endpoints.ts'
import { ApiError, fail } from './api-error.ts'
import type { App } from './app-type.ts'
import { checkParts, type Parts } from './check-parts.ts'
import { registerEndpoint } from './endpoints.ts'
import { draining, stillStarting } from './error-handler.ts'
import type { Lifecycle } from './lifecycle.ts'

const retryAfterSeconds = 5

export function healthRoutes(app: App, deps: Parts & { lifecycle: Lifecycle }): void {
  registerEndpoint(app, getHealth, async () => ({ status: 'ok' as const }), { logLevel: 'warn' })

  registerEndpoint(
    app,
    getReadiness,
    async () => {
      const { phase } = deps.lifecycle
      if (phase === 'starting') fail('unavailable', { retryAfterSeconds, cause: stillStarting })
      if (phase === 'draining') fail('unavailable', { retryAfterSeconds, cause: draining })
      const checked = Object.entries(await checkParts(deps))
      const parts = Object.fromEntries(checked.map(([part, isWorking]) => [part, isWorking ? 'ok' : 'failed'] as const))
      // A full storage would make all servers unready at the same time, although reading could continue.
      if (parts.database === 'failed' && parts.replica !== 'ok') {
        const failure = new ApiError('unavailable', {
          retryAfterSeconds,
          fields: parts,
          cause: 'no database to read from',
        })
        failure.message = errorMessage('unavailable')
        throw failure
      }
      return { status: checked.every(([, isWorking]) => isWorking) ? ('ok' as const) : ('degraded' as const), parts }
    },
    { logLevel: 'warn' },
  )
}
