import { queryOptions, useQuery } from '@tanstack/react-query'
import type { OwnModerationCase } from '../../../../packages/contract/moderation.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import { getMe } from '../../../../packages/contract/sessions.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { sessionReady } from '../../../platform/session/load-session.ts'
import { session } from '../../../platform/session/store.ts'
import { getRating, type RatedLists, withOpinion } from '../rating/rating.ts'
import { without } from './list-pages.ts'
import { currentMoment, isRatedSince, removeFromLists, upsertNotes } from './note-cache.ts'

/** `version`: of `recentlyViewedNotes`, as the server has them. */
export type UserLists = RatedLists & { userId: string; recentlyViewedNotes: string[]; version?: string | undefined }

/** What the moderators have to do with one's notes. */
export const ownMattersKey = ['own-matters'] as const
const ownListsKey = ['own-lists'] as const
// Changed with every like, and compared by `opinionOf` as the objects they are.
queryClient.setQueryDefaults(ownListsKey, { structuralSharing: false, gcTime: Number.POSITIVE_INFINITY })

export const ownListsQuery = queryOptions({
  queryKey: ownListsKey,
  queryFn: async ({ signal }) => {
    const askedAt = currentMoment()
    const { user } = await api.call(getMe, { signal })
    session.setUser(user)
    // Left with the session they would be taken for newer at the next page.
    session.takeLists()
    return listsOf(user, askedAt)
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Ratings that are newer than the request stay. */
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

/** For loaders: the lists that came with the answer that said who one is; asked for where there are none. */
export async function ensureUserLists(): Promise<void> {
  if (session.getState().user === null) await sessionReady()
  const told = session.takeLists()
  if (told !== null) queryClient.setQueryData(ownListsQuery.queryKey, listsOf(told, 0))
  else await queryClient.ensureQueryData(ownListsQuery)
}

export const getUserLists = (): UserLists | undefined => queryClient.getQueryData(ownListsQuery.queryKey)

/** Replaces some of the lists, where there are any to replace. */
export function updateUserLists(change: Partial<UserLists>): void {
  queryClient.setQueryData(ownListsQuery.queryKey, (lists) => lists && { ...lists, ...change })
}

/** A part of the lists, followed, on a page whose loader called `ensureOwnLists`. Undefined once nobody is signed in. */
export const useUserLists = <T>(select: (lists: UserLists) => T): T | undefined =>
  useQuery({ ...ownListsQuery, select }).data

/**
 * Asks once per visit what the server knows of the student: another device may have liked or viewed since. A session
 * that has ended is noticed here too. Any other failure leaves what is known.
 * @returns whether the answer is still on its way.
 */
export const useRefetchedUserLists = (): boolean => useQuery({ ...ownListsQuery, refetchOnMount: 'always' }).isFetching

/** Takes a note that is gone out of every list, recently viewed among them (SPEC.md section 4). */
export function removeNote(noteId: string): void {
  removeFromLists(noteId)
  queryClient.setQueryData<OwnModerationCase[]>(ownMattersKey, (all) => all?.filter(({ note }) => note._id !== noteId))
  const lists = getUserLists()
  if (lists === undefined) return
  updateUserLists({
    recentlyViewedNotes: without(lists.recentlyViewedNotes, noteId),
    likedNotesDisplay: without(lists.likedNotesDisplay, noteId),
  })
}
