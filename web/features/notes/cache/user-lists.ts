import { focusManager, queryOptions, useQuery } from '@tanstack/react-query'
import { listOwnModerationCases } from '../../../../packages/contract/moderation.endpoints.ts'
import { getNotes } from '../../../../packages/contract/notes.endpoints.ts'
import { maxNotesAsked } from '../../../../packages/contract/notes.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import { getMe } from '../../../../packages/contract/sessions.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { sessionReady } from '../../../platform/session/load-session.ts'
import { session } from '../../../platform/session/store.ts'
import { getRating, type RatedLists, withOpinion } from '../rating/rating.ts'
import { without } from './list-pages.ts'
import { currentMoment, getShownNoteIds, isRatedSince, removeFromLists, upsertNotes } from './note-cache.ts'

/** `version` is the server's version of `recentlyViewedNotes`. */
export type UserLists = RatedLists & { userId: string; recentlyViewedNotes: string[]; version?: string | undefined }

export const authorCasesQuery = queryOptions({
  queryKey: ['author-cases'],
  queryFn: async ({ signal }) => (await api.call(listOwnModerationCases, { signal })).matters,
  retryOnMount: false,
})

const userListsKey = ['own-lists'] as const
// Structural sharing is off: `addToRecentlyViewed` notices by its array whether another note was opened meanwhile.
queryClient.setQueryDefaults(userListsKey, { structuralSharing: false, gcTime: Number.POSITIVE_INFINITY })

export const userListsQuery = queryOptions({
  queryKey: userListsKey,
  queryFn: async ({ signal }) => {
    const askedAt = currentMoment()
    const { user } = await api.call(getMe, { signal })
    session.setUser(user)
    // The lists in the session would otherwise be taken for newer ones by the next page.
    session.consumeLists()
    return listsOf(user, askedAt)
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Ratings that are newer than the request keep their value. */
function listsOf(user: User, askedAt: number): UserLists {
  let lists: UserLists = {
    userId: user._id,
    likedNotes: user.likedNotes,
    dislikedNotes: user.dislikedNotes,
    likedNotesDisplay: upsertNotes(user.likedNotesDisplay, askedAt),
    recentlyViewedNotes: upsertNotes(user.recentlyViewedNotes, askedAt),
    version: user.version,
  }
  const held = getUserLists()
  if (held?.userId !== user._id) return lists
  const rated = [held, lists].flatMap((each) => [...each.likedNotes, ...each.dislikedNotes])
  for (const noteId of new Set(rated)) {
    if (isRatedSince(noteId, askedAt)) lists = { ...lists, ...withOpinion(lists, noteId, getRating(held, noteId)) }
  }
  return lists
}

/** For loaders: uses the lists of the session response, and requests them only if there are none. */
export async function ensureUserLists(): Promise<void> {
  if (session.getState().user === null) await sessionReady()
  const lists = session.consumeLists()
  if (lists !== null) queryClient.setQueryData(userListsQuery.queryKey, listsOf(lists, 0))
  else await queryClient.ensureQueryData(userListsQuery)
}

export const getUserLists = (): UserLists | undefined => queryClient.getQueryData(userListsQuery.queryKey)

/** Does nothing when no lists are cached. */
export function updateUserLists(change: Partial<UserLists>): void {
  queryClient.setQueryData(userListsQuery.queryKey, (lists) => lists && { ...lists, ...change })
}

/** Subscribes to the lists. The page's loader must call `ensureUserLists`. Undefined after the user logs out. */
export const useUserLists = <T>(select: (lists: UserLists) => T): T | undefined =>
  useQuery({ ...userListsQuery, select }).data

/**
 * Requests the user's lists once per visit, because another device may have changed them. It also detects an ended
 * session; after any other failure the cached lists stay.
 * @returns whether this request is in progress, unlike those that refresh the displayed notes.
 */
export function useRefetchedUserLists(): boolean {
  const { isFetching, isFetchedAfterMount } = useQuery({ ...userListsQuery, refetchOnMount: 'always' })
  return isFetching && !isFetchedAfterMount
}

/** The notes of the last upload that still exist, and how many other users follow their courses. */
export type LastUpload = { ids: string[]; followers: { courseCode: string; count: number }[] }

/** My Notes shows it when it opens after the upload, and for a minute after it is left. */
export const lastUploadKey = ['last-upload'] as const
queryClient.setQueryDefaults(lastUploadKey, { gcTime: 60_000 })

/** Removes a deleted note from every list, including recently viewed (SPEC.md section 4). */
export function removeNote(noteId: string): void {
  removeFromLists(noteId)
  queryClient.setQueryData<LastUpload>(lastUploadKey, (all) => all && { ...all, ids: without(all.ids, noteId) })
  queryClient.setQueryData(authorCasesQuery.queryKey, (all) => all?.filter(({ note }) => note._id !== noteId))
  const lists = getUserLists()
  if (lists === undefined) return
  updateUserLists({
    recentlyViewedNotes: without(lists.recentlyViewedNotes, noteId),
    likedNotesDisplay: without(lists.likedNotesDisplay, noteId),
  })
}

/** When the user returns to the tab: other tabs, authors and moderators may have changed the displayed notes. */
focusManager.subscribe((isFocused) => {
  // A failure leaves the notes as they are.
  if (isFocused && getUserLists() !== undefined) void refreshShownNotes().catch(() => {})
})

async function refreshShownNotes(): Promise<void> {
  const ids = getShownNoteIds()
  if (ids.length === 0) return
  await queryClient.fetchQuery({ ...userListsQuery, staleTime: 0 })
  for (let at = 0; at < ids.length; at += maxNotesAsked) {
    const asked = ids.slice(at, at + maxNotesAsked)
    const askedAt = currentMoment()
    const { notes } = await api.call(getNotes, { query: { ids: asked.join(',') } })
    const found = new Set(upsertNotes(notes, askedAt))
    for (const id of asked) if (!found.has(id)) removeNote(id)
  }
}
