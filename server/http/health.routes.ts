import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db/pool.ts'
import { fail } from '../failure.ts'
import type { FileStorage } from '../files/storage.ts'
import type { App } from './app-type.ts'
import { refusals } from './schemas.ts'

const status = z.object({ status: z.literal('ok') })
const readyTimeoutMs = 3_000

type HealthDeps = { db: Db; files: FileStorage; startup: { done: boolean } }

export function healthRoutes(app: App, { db, files, startup }: HealthDeps): void {
  app.get(
    '/healthz',
    { logLevel: 'warn', schema: { tags: ['operation'], summary: 'The process serves', response: { 200: status } } },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      logLevel: 'warn',
      schema: {
        tags: ['operation'],
        summary: 'Database and storage answer',
        response: { 200: status, ...refusals('unavailable') },
      },
    },
    async () => {
      if (!startup.done) fail('unavailable', { retryAfterSeconds: 5, cause: 'still starting' })
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('No answer in time')), readyTimeoutMs).unref()
      })
      try {
        await Promise.race([Promise.all([sql`SELECT 1`.execute(db), files.check()]), late])
      } catch (cause) {
        fail('unavailable', { retryAfterSeconds: 5, cause })
      }
      return { status: 'ok' as const }
    },
  )
}
