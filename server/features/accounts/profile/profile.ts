import { recentlyViewedLimit } from '../../../../packages/contract/limits.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { assertCurrentVersion, toVersion } from '../../../platform/http/versions.ts'
import { findAnnouncement } from '../../administration/instance-settings/instance-settings.ts'
import { findActiveSuspension } from '../../moderation/suspensions/active-suspension.ts'
import { recordView } from '../../notes/author-stats/author-stats.ts'
import { getUserRatings } from '../../notes/ratings/ratings.ts'
import { findUser, lockUser } from '../users/users.ts'
import * as queries from './profile.queries.ts'

/** @throws unauthorized when the account no longer exists. */
export async function getProfile(db: Db, viewer: Viewer): Promise<User> {
  const [account, ratings, recentlyViewedNotes, announcement] = await Promise.all([
    findUser(db, { id: viewer.id }),
    getUserRatings(db, viewer),
    queries.findRecentlyViewedNotes(db, viewer),
    findAnnouncement(db),
  ])
  if (!account) fail('unauthorized')
  const { id: _id, name, email, role, leavingAt } = account
  const rest = {
    ...(role !== 'student' && { role }),
    ...(leavingAt && { leavesAt: leavingAt.toISOString() }),
    ...(announcement && { announcement }),
  }
  return { _id, name, email, ...ratings, recentlyViewedNotes, version: versionOf(viewer, recentlyViewedNotes), ...rest }
}

const versionOf = (viewer: Viewer, viewed: Note[]) => toVersion(viewer.id, ...viewed.map(({ _id }) => _id))

/**
 * Works like `getProfile`, but a limited session gets only the suspension and no notes that it cannot open.
 * @throws unauthorized
 */
export const getProfileForSession = (db: Db, viewer: Viewer, isLimited: boolean): Promise<User> =>
  isLimited ? getSuspendedProfile(db, viewer) : getProfile(db, viewer)

async function getSuspendedProfile(db: Db, { id }: Viewer): Promise<User> {
  const [account, suspension] = await Promise.all([findUser(db, { id }), findActiveSuspension(db, id)])
  if (!account || !suspension) fail('unauthorized')
  const { name, email, leavingAt } = account
  const { until, reason, noteTitle } = suspension
  return {
    _id: id,
    name,
    email,
    likedNotes: [],
    dislikedNotes: [],
    likedNotesDisplay: [],
    recentlyViewedNotes: [],
    suspension: { until: until?.toISOString() ?? null, reason, noteTitle },
    ...(leavingAt && { leavesAt: leavingAt.toISOString() }),
  }
}

/**
 * A note that moves to the front counts as opened (SPEC.md section 4); a note already there is not counted again. Two
 * tabs that save at the same time leave one list or the other, never a mix, because both lock the user first.
 * @throws unauthorized, outdated
 */
export async function saveRecentlyViewed(
  db: Db,
  viewer: Viewer,
  noteIds: string[],
  ifMatch: string | undefined,
): Promise<User> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, viewer.id)
    if (ifMatch !== undefined)
      assertCurrentVersion(ifMatch, versionOf(viewer, await queries.findRecentlyViewedNotes(tx, viewer)))
    const opened = await queries.replaceRecentlyViewed(tx, viewer, noteIds, recentlyViewedLimit)
    if (opened !== null) await recordView(tx, viewer, opened)
  })
  return getProfile(db, viewer)
}
