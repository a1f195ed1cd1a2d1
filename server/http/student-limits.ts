import { viewNote } from '../../contract/notes.endpoints.ts'
import type { Config } from '../config.ts'
import { fail } from '../failure.ts'
import type { Limit, RateLimits } from './rate-limits.ts'
import type { Viewer } from './viewer.ts'

/** Students of whom a server knows at once how much is left; of whoever else it asks again. */
const maxKnown = 10_000
/** Of a limit, what a server takes from the shared count at a time. */
const share = 1 / 50

type Asked = { method: string; routeOptions: { url?: string | undefined } }
/** What a server may still answer without asking, and until when it answers nothing. */
type Account = { left: number; isAsking: boolean; refusedUntilMs: number }
type Counted = { limit: Limit; accounts: Map<string, Account> }

/**
 * How many files, lists and changes one student may ask for in an hour, over all servers. A server takes from the count in
 * PostgreSQL some at a time and beside the request, so that none waits for it; in turn a student may get some more
 * than is allowed. Everybody has a count of their own, which nobody else can use up.
 * @returns counts a request. Throws `rate_limited` with Retry-After.
 */
export function createStudentLimits(
  rateLimits: RateLimits,
  config: Pick<Config, 'rateLimit' | 'maxFilesPerHour' | 'maxReadsPerHour' | 'maxChangesPerHour'>,
): (viewer: Viewer, request: Asked) => void {
  if (!config.rateLimit) return () => {}
  const hourly = (name: string, points: number): Counted => ({
    limit: { name: `student-${name}`, points, seconds: 3600 },
    accounts: new Map(),
  })
  const counted = {
    files: hourly('files', config.maxFilesPerHour),
    reads: hourly('reads', config.maxReadsPerHour),
    changes: hourly('changes', config.maxChangesPerHour),
  }

  async function askForMore(account: Account, limit: Limit, key: string): Promise<void> {
    const points = Math.ceil(limit.points * share) - account.left
    account.isAsking = true
    const waitSeconds = await rateLimits.takeMany(limit, key, points).catch(() => 0)
    account.isAsking = false
    if (waitSeconds === 0) account.left += points
    else Object.assign(account, { left: 0, refusedUntilMs: Date.now() + waitSeconds * 1000 })
  }

  return ({ id }, request) => {
    const { limit, accounts } = counted[kindOf(request)]
    const account = accounts.get(id) ?? openAccount(accounts, id)
    if (account.refusedUntilMs > 0) {
      const waitMs = account.refusedUntilMs - Date.now()
      if (waitMs > 0) fail('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      account.refusedUntilMs = 0
    }
    account.left--
    if (account.left < 0 && !account.isAsking) void askForMore(account, limit, id)
  }
}

/** The one that was opened first goes where there are too many. */
function openAccount(accounts: Counted['accounts'], id: string): Account {
  const [oldest] = accounts.keys()
  if (accounts.size >= maxKnown && oldest !== undefined) accounts.delete(oldest)
  const account = { left: 0, isAsking: false, refusedUntilMs: 0 }
  accounts.set(id, account)
  return account
}

function kindOf({ method, routeOptions }: Asked): 'files' | 'reads' | 'changes' {
  if (method !== 'GET' && method !== 'HEAD') return 'changes'
  return routeOptions.url === viewNote.path ? 'files' : 'reads'
}
