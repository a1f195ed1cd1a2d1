import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../../config.ts'
import type { Db } from '../db/pool.ts'
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
