import type { FastifySchema } from 'fastify'
import { viewNote } from '../../../packages/contract/notes.endpoints.ts'
import { updateRecentlyViewed } from '../../../packages/contract/profile.endpoints.ts'
import { downloadExport } from '../../../packages/contract/settings.endpoints.ts'
import type { Config } from '../../config.ts'
import type { Viewer } from '../db/viewer.ts'
import { fail } from './api-error.ts'
import type { Limit, RateLimits } from './rate-limits.ts'

/** The maximum number of buckets per limit; for other users the server asks PostgreSQL again. */
const maxKnown = 10_000
/** The share of a limit that a server takes from the shared count at a time. */
const share = 1 / 50

type Asked = {
  method: string
  routeOptions: { url?: string | undefined; schema?: FastifySchema }
  /** The viewer's session. */
  sessionId: string | null
}
/** `left` requests need no query to PostgreSQL; until `refusedUntilMs` every request is refused. */
type Bucket = { left: number; isAsking: boolean; refusedUntilMs: number }
type Counted = { limit: Limit; buckets: Map<string, Bucket> }

/**
 * Limits how many files, lists and changes one student may request per hour over all servers. A server takes shares of
 * the count in PostgreSQL in the background, so that no request waits for it; a student may get slightly more than
 * allowed. Each user has a separate count. Account calls are counted per session, so that a stolen session cannot keep
 * the student from ending it.
 * @returns a function that counts a request. It throws `rate_limited` with Retry-After.
 */
export function createUserRateLimits(
  rateLimits: RateLimits,
  config: Pick<Config, 'rateLimit' | 'maxFilesPerHour' | 'maxReadsPerHour' | 'maxChangesPerHour'>,
): (viewer: Viewer, request: Asked) => void {
  if (!config.rateLimit) return () => {}
  const hourly = (name: string, points: number): Counted => ({
    limit: { name: `student-${name}`, points, seconds: 3600 },
    buckets: new Map(),
  })
  const counted = {
    files: hourly('files', config.maxFilesPerHour),
    reads: hourly('reads', config.maxReadsPerHour),
    changes: hourly('changes', config.maxChangesPerHour),
    account: hourly('account', maxAccountCallsPerHour),
  }

  async function refillBucket(account: Bucket, limit: Limit, key: string): Promise<void> {
    const points = Math.ceil(limit.points * share) - account.left
    account.isAsking = true
    const waitSeconds = await rateLimits.consumePoints(limit, key, points).catch(() => 0)
    account.isAsking = false
    if (waitSeconds === 0) account.left += points
    else Object.assign(account, { left: 0, refusedUntilMs: Date.now() + waitSeconds * 1000 })
  }

  return (viewer, request) => {
    const kind = kindOf(request)
    const { limit, buckets } = counted[kind]
    const key = kind === 'account' ? `${request.sessionId}` : viewer.id
    const account = buckets.get(key) ?? createBucket(buckets, key)
    if (account.refusedUntilMs > 0) {
      const waitMs = account.refusedUntilMs - Date.now()
      if (waitMs > 0) fail('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      account.refusedUntilMs = 0
    }
    account.left--
    if (account.left < 0 && !account.isAsking) void refillBucket(account, limit, key)
  }
}

/** Deletes the oldest bucket when there are too many. */
function createBucket(buckets: Counted['buckets'], key: string): Bucket {
  const [oldest] = buckets.keys()
  if (buckets.size >= maxKnown && oldest !== undefined) buckets.delete(oldest)
  const account = { left: 0, isAsking: false, refusedUntilMs: 0 }
  buckets.set(key, account)
  return account
}

function kindOf({ method, routeOptions: { url = '', schema } }: Asked): 'files' | 'account' | 'changes' | 'reads' {
  if (files.has(url)) return 'files'
  if (url === updateRecentlyViewed.path && method === updateRecentlyViewed.method) return 'changes'
  if (schema?.tags?.some((tag) => accountTags.has(tag))) return 'account'
  return method === 'GET' || method === 'HEAD' ? 'reads' : 'changes'
}

const files: ReadonlySet<string> = new Set([viewNote.path, downloadExport.path])
/** Endpoints about the account itself: profile, sessions, and ways to log in. */
const accountTags: ReadonlySet<string> = new Set(['profile', 'settings', 'passkeys', 'two-factor'])
const maxAccountCallsPerHour = 2_000
