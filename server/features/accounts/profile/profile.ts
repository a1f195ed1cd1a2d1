import { sql } from 'kysely'
import { recentlyViewedLimit } from '../../../../packages/contract/limits.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { assertCurrentVersion, toVersion } from '../../../platform/http/versions.ts'
import { findAnnouncement } from '../../administration/instance-settings/instance-settings.ts'
import { findActiveSuspension } from '../../moderation/suspensions/active-suspension.ts'
import { recordView } from '../../notes/author-stats/author-stats.ts'
import { getUserRatings } from '../../notes/ratings/ratings.ts'
import { readNotes, visibleNotes } from '../../notes/visible-notes.ts'
import { findUser, lockUser } from '../users/users.ts'

/** @throws unauthorized when the account no longer exists. */
export async function getProfile(db: Db, viewer: Viewer): Promise<User> {
  const [account, ratings, recentlyViewedNotes, announcement] = await Promise.all([
    findUser(db, { id: viewer.id }),
    getUserRatings(db, viewer),
    findRecentlyViewedNotes(db, viewer),
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
      assertCurrentVersion(ifMatch, versionOf(viewer, await findRecentlyViewedNotes(tx, viewer)))
    const opened = await replaceRecentlyViewed(tx, viewer, noteIds, recentlyViewedLimit)
    if (opened !== null) await recordView(tx, viewer, opened)
  })
  return getProfile(db, viewer)
}

function findRecentlyViewedNotes(db: Db, viewer: Viewer): Promise<Note[]> {
  const inOrder = sql`JOIN recently_viewed v ON v.note_id = n.id AND v.user_id = ${viewer.id} ORDER BY v.position`
  return readNotes(db, viewer, visibleNotes(viewer), inOrder)
}

/**
 * Replaces the list of a user whom the caller has locked. Ids without a visible note are dropped in the inserting
 * statement.
 * @returns the note that is newly at the front, which means that it was opened; otherwise null.
 */
async function replaceRecentlyViewed(tx: Tx, viewer: Viewer, noteIds: string[], limit: number): Promise<string | null> {
  const { id: userId } = viewer
  // Locks the notes before the rows about them, as deleting a note does, to prevent a deadlock.
  await sql`SELECT id FROM notes WHERE id = ANY(${noteIds}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(tx)
  // A note that was hidden meanwhile is in no list, though its row exists until the list is replaced.
  const { rows: gone } = await sql<Viewed & { isVisible: boolean }>`
    DELETE FROM recently_viewed v WHERE user_id = ${userId}
    RETURNING note_id, position,
              EXISTS (SELECT FROM ${visibleNotes(viewer)} n WHERE n.id = v.note_id) AS "isVisible"`.execute(tx)
  const { rows } = await sql<Viewed>`
    INSERT INTO recently_viewed (user_id, note_id, position)
    SELECT ${userId}, n.id, row_number() OVER (ORDER BY min(asked.position)) - 1
      FROM unnest(${noteIds}::uuid[]) WITH ORDINALITY AS asked (id, position)
      JOIN ${visibleNotes(viewer)} n ON n.id = asked.id
     GROUP BY n.id
     ORDER BY min(asked.position)
     LIMIT ${sql.lit(limit)}
    RETURNING note_id, position`.execute(tx)
  const [before, now] = [gone.filter(({ isVisible }) => isVisible), rows].map(frontOf)
  return now !== undefined && now === noteIds[0] && now !== before ? now : null
}

type Viewed = { note_id: string; position: number }
/** Deleted notes leave gaps in the positions, so the front is the lowest position, not 0. */
const frontOf = (list: Viewed[]) => list.toSorted((one, other) => one.position - other.position)[0]?.note_id
