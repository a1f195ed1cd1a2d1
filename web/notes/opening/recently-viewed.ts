import { recentlyViewedLimit } from '../../../contract/limits.ts'
import { updateRecentlyViewed } from '../../../contract/profile.endpoints.ts'
import { api } from '../../api/client.ts'
import { without } from '../cache/list-pages.ts'
import { changeOwnLists, findOwnLists } from '../cache/own-lists.ts'

/** The list with a note at its front, once, cut to what is kept. */
export function withViewed(viewed: string[], noteId: string): string[] {
  return [noteId, ...without(viewed, noteId)].slice(0, recentlyViewedLimit)
}

/** Puts a note at the front of recently viewed and saves the list. A failure to save is silent (SPEC.md section 4). */
export async function rememberViewed(noteId: string): Promise<void> {
  const lists = findOwnLists()
  if (lists === undefined) return
  const recentlyViewedNotes = withViewed(lists.recentlyViewedNotes, noteId)
  changeOwnLists({ recentlyViewedNotes })
  try {
    const { user } = await api.call(updateRecentlyViewed, { body: { recentlyViewedNotes } })
    // Another note may have been opened since: its own answer will be the newer one.
    if (findOwnLists()?.recentlyViewedNotes === recentlyViewedNotes) {
      changeOwnLists({ recentlyViewedNotes: user.recentlyViewedNotes.map((note) => note._id) })
    }
  } catch {
    // The list is kept for this visit; nothing is lost that a student would miss.
  }
}
