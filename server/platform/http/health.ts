import { sql } from 'kysely'
import { errorMessage } from '../../../packages/contract/errors.ts'
import { getHealth, getReadiness } from '../../../packages/contract/system.endpoints.ts'
import type { Db } from '../db/pool.ts'
import { withTimeout } from '../db/waiting.ts'
import { fail } from './api-error.ts'
import { type App, registerEndpoint } from './endpoints.ts'
import { draining, stillStarting } from './error-handler.ts'

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
        const message = errorMessage('unavailable')
        fail('unavailable', { message, retryAfterSeconds, fields: parts, cause: 'no database to read from' })
      }
      return { status: checked.every(([, isWorking]) => isWorking) ? ('ok' as const) : ('degraded' as const), parts }
    },
    { logLevel: 'warn' },
  )
}

/** Shorter than the timeouts of load balancers and Prometheus. */
const timeoutMs = 3_000

type Part = { check(): Promise<void> }
export type Parts = { db: Db; replica: Part | null; files: Part; spool: Part; scanner: Part | null }

/** Checks whether each part of the server works. @returns results by part name, without unconfigured parts. */
export async function checkParts({ db, replica, files, spool, scanner }: Parts): Promise<Record<string, boolean>> {
  const checks = {
    database: () => sql`SELECT 1`.execute(db),
    ...(replica && { replica: () => replica.check() }),
    storage: () => files.check(),
    spool: () => spool.check(),
    ...(scanner && { scanner: () => scanner.check() }),
  }
  const answered = Object.entries(checks).map(async ([part, check]) => [part, await succeedsInTime(check)])
  return Object.fromEntries(await Promise.all(answered))
}

/** Returns whether the check succeeds within the time limit. */
export const succeedsInTime = (check: () => Promise<unknown>): Promise<boolean> =>
  withTimeout(timeoutMs, check()).then(
    () => true,
    () => false,
  )

/** The phase of a server process. */
export type Lifecycle = {
  phase: 'starting' | 'serving' | 'draining'
  /** Resolves when the phase becomes `serving`. */
  readonly started: Promise<void>
  serve(): void
}

export function createLifecycle(): Lifecycle {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  return {
    phase: 'starting',
    started,
    serve() {
      this.phase = 'serving'
      resolve()
    },
  }
}
