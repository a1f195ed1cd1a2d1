import { recentlyViewedLimit } from '../../contract/limits.ts'
import type { User } from '../../contract/profile.ts'
import type { Db } from '../db/pool.ts'
import { fail } from '../failure.ts'
import { getUserRatings } from '../ratings/ratings.ts'
import { findUser } from '../users/users.ts'
import * as queries from './profile.queries.ts'

/** The user as they see themself. @throws unauthorized when the account is gone. */
export async function getUser(db: Db, userId: string): Promise<User> {
  const [account, ratings, recentlyViewedNotes] = await Promise.all([
    findUser(db, { id: userId }),
    getUserRatings(db, userId),
    queries.findRecentlyViewedNotes(db, userId),
  ])
  if (!account) fail('unauthorized')
  return { _id: account.id, name: account.name, email: account.email, ...ratings, recentlyViewedNotes }
}

export async function saveRecentlyViewed(db: Db, userId: string, noteIds: string[]): Promise<User> {
  await queries.replaceRecentlyViewed(db, userId, noteIds, recentlyViewedLimit)
  return getUser(db, userId)
}
