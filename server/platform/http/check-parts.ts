import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

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
export function succeedsInTime(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  const result = check().then(
    () => true,
    () => false,
  )
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}
