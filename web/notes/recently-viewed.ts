import { recentlyViewedLimit } from '../../contract/limits.ts'
import type { Note } from '../../contract/notes.ts'
import { changeMe } from '../../contract/profile.endpoints.ts'
import { api } from '../api/client.ts'
import { session } from '../session/store.ts'

/** The list with a note at its front, once, cut to what is kept. */
export function withViewed(viewed: Note[], note: Note): Note[] {
  return [note, ...viewed.filter((each) => each._id !== note._id)].slice(0, recentlyViewedLimit)
}

/** Puts a note at the front of recently viewed and saves the list. A failure to save is silent (SPEC.md section 4). */
export async function rememberViewed(note: Note): Promise<void> {
  const { user } = session.getState()
  if (user === null) return
  const viewed = withViewed(user.recentlyViewedNotes, note)
  session.setRecentlyViewedNotes(viewed)
  const recentlyViewedNotes = viewed.map((each) => each._id)
  try {
    const answer = await api.call(changeMe, { body: { recentlyViewedNotes } })
    // Another note may have been opened since: its own answer will be the newer one.
    if (session.getState().user?.recentlyViewedNotes === viewed) {
      session.setRecentlyViewedNotes(answer.user.recentlyViewedNotes)
    }
  } catch {
    // The list is kept for this visit; nothing is lost that a student would miss.
  }
}
