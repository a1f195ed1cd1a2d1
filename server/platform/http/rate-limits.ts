import { createHash } from 'node:crypto'
import type { FastifySchema } from 'fastify'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { viewNote } from '../../../packages/contract/notes.endpoints.ts'
import { updateRecentlyViewed } from '../../../packages/contract/profile.endpoints.ts'
import { downloadExport } from '../../../packages/contract/settings.endpoints.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../db/pool.ts'
import type { Viewer } from '../db/viewer.ts'
import { fail } from './api-error.ts'

/** Allows `points` attempts per key within `seconds`. */
export type Limit = { name: string; points: number; seconds: number }

export type RateLimits = {
  /** Counts an attempt. Throws `rate_limited` with Retry-After when there were too many. */
  consume(limit: Limit, key: string): Promise<void>
  /** Counts several attempts. Resolves to the seconds to wait, or 0 within the limit. */
  consumePoints(limit: Limit, key: string, points: number): Promise<number>
  /** Counts an attempt and returns whether it is within the limit, for limits that must not be noticed. */
  tryConsume(limit: Limit, key: string): Promise<boolean>
  /** Deletes the attempts of a key after a success. */
  reset(limit: Limit, key: string): Promise<void>
  /** Uncounts one attempt, for limits on failures that a success must not clear. */
  refund(limit: Limit, key: string): Promise<void>
}

/** Limits shared by all servers of a database. During an outage of PostgreSQL each server counts for itself. */
export function createRateLimits(
  pool: pg.Pool,
  { rateLimit: enabled, databasePrepared }: Pick<Config, 'rateLimit' | 'databasePrepared'>,
): RateLimits {
  const limiters = new Map<string, RateLimiterPostgres>()

  function limiterOf(limit: Limit): RateLimiterPostgres {
    const known = limiters.get(limit.name)
    if (known) return known
    const counting = { keyPrefix: limit.name, points: limit.points, duration: limit.seconds }
    const limiter = new RateLimiterPostgres({
      ...counting,
      storeClient: {
        query: (query: pg.QueryConfig) => pool.query(databasePrepared ? query : { ...query, name: undefined }),
      },
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(counting),
    })
    limiters.set(limit.name, limiter)
    return limiter
  }

  /** @returns the seconds to wait, or null when the attempt is allowed. */
  async function count(limit: Limit, key: string, points = 1): Promise<number | null> {
    if (!enabled) return null
    try {
      await limiterOf(limit).consume(hashKey(key), points)
      return null
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw refusal
    }
  }

  return {
    async consume(limit, key) {
      const retryAfterSeconds = await count(limit, key)
      if (retryAfterSeconds !== null) fail('rate_limited', { retryAfterSeconds })
    },
    async consumePoints(limit, key, points) {
      return (await count(limit, key, points)) ?? 0
    },
    async tryConsume(limit, key) {
      return (await count(limit, key)) === null
    },
    async reset(limit, key) {
      if (enabled) await limiterOf(limit).delete(hashKey(key))
    },
    async refund(limit, key) {
      if (enabled) await limiterOf(limit).reward(hashKey(key))
    },
  }
}

/** The limiter resets an expired row when its key returns, but most keys never return. */
export async function deleteExpiredCounts(db: Db): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<', Date.now()).execute()
}

/** Keys contain addresses of people, so only hashes are stored. */
const hashKey = (key: string) => createHash('sha256').update(key).digest('base64url')

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
