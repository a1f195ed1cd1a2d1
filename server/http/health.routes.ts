import { sql } from 'kysely'
import { getHealth, getReadiness } from '../../contract/operation.endpoints.ts'
import type { Db } from '../db/pool.ts'
import type { Spool } from '../files/spool.ts'
import type { FileStorage } from '../files/storage.ts'
import type { App } from './app-type.ts'
import { serve } from './endpoints.ts'
import { stillStarting } from './error-handler.ts'
import { fail } from './failure.ts'

const readyTimeoutMs = 3_000

type HealthDeps = { db: Db; files: FileStorage; spool: Spool; startup: { done: boolean } }

export function healthRoutes(app: App, { db, files, spool, startup }: HealthDeps): void {
  serve(app, getHealth, async () => ({ status: 'ok' as const }), { logLevel: 'warn' })

  serve(
    app,
    getReadiness,
    async () => {
      if (!startup.done) fail('unavailable', { retryAfterSeconds: 5, cause: stillStarting })
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('No answer in time')), readyTimeoutMs).unref()
      })
      try {
        await Promise.race([Promise.all([sql`SELECT 1`.execute(db), files.check(), spool.check()]), late])
      } catch (cause) {
        fail('unavailable', { retryAfterSeconds: 5, cause })
      }
      return { status: 'ok' as const }
    },
    { logLevel: 'warn' },
  )
}
