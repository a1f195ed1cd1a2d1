import { recentlyViewedLimit } from '../../../../packages/contract/limits.ts'
import { updateRecentlyViewed } from '../../../../packages/contract/profile.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { writeOver } from '../../../platform/api/write-over.ts'
import { without } from '../cache/list-pages.ts'
import { getUserLists, type UserLists, updateUserLists, userListsQuery } from '../cache/user-lists.ts'

/** Returns the list with a note moved to the front, cut to `recentlyViewedLimit`. */
export const withViewed = (viewed: string[], noteId: string): string[] =>
  [noteId, ...without(viewed, noteId)].slice(0, recentlyViewedLimit)

/**
 * Moves a note to the front of recently viewed and saves the list, including changes of other tabs. A failure to save
 * is silent (SPEC.md section 4).
 */
export async function addToRecentlyViewed(noteId: string): Promise<void> {
  const lists = getUserLists()
  if (lists === undefined) return
  let recentlyViewedNotes = lists.recentlyViewedNotes
  const save = (held: UserLists) => {
    recentlyViewedNotes = withViewed(held.recentlyViewedNotes, noteId)
    updateUserLists({ recentlyViewedNotes })
    return api.call(updateRecentlyViewed, { body: { recentlyViewedNotes }, ifMatch: held.version })
  }
  try {
    const { user } = await writeOver(lists, save, () => queryClient.fetchQuery({ ...userListsQuery, staleTime: 0 }))
    // If another note was opened meanwhile, the response to that request is the newer one.
    if (getUserLists()?.recentlyViewedNotes === recentlyViewedNotes) {
      updateUserLists({ recentlyViewedNotes: user.recentlyViewedNotes.map((note) => note._id), version: user.version })
    }
  } catch {
    // The list is kept in memory for this visit, so a failed save loses nothing important.
  }
}
