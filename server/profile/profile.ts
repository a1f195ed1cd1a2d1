import { recentlyViewedLimit } from '../../contract/limits.ts'
import type { User } from '../../contract/profile.ts'
import type { Db } from '../db/pool.ts'
import { fail } from '../failure.ts'
import type { Viewer } from '../http/viewer.ts'
import { getUserRatings } from '../ratings/ratings.ts'
import { findUser } from '../users/users.ts'
import * as queries from './profile.queries.ts'

/** The user as they see themself. @throws unauthorized when the account is gone. */
export async function getProfile(db: Db, viewer: Viewer): Promise<User> {
  const [account, ratings, recentlyViewedNotes] = await Promise.all([
    findUser(db, { id: viewer.id }),
    getUserRatings(db, viewer),
    queries.findRecentlyViewedNotes(db, viewer),
  ])
  if (!account) fail('unauthorized')
  return { _id: account.id, name: account.name, email: account.email, ...ratings, recentlyViewedNotes }
}

export async function saveRecentlyViewed(db: Db, viewer: Viewer, noteIds: string[]): Promise<User> {
  await queries.replaceRecentlyViewed(db, viewer, noteIds, recentlyViewedLimit)
  return getProfile(db, viewer)
}
