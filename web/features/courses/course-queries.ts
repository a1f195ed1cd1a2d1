import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getCourse,
  listCourseNotes,
  listCourses,
  listFollowedCourses,
  listNewNotes,
} from '../../../packages/contract/courses.endpoints.ts'
import type { CoursePage } from '../../../packages/contract/courses.ts'
import { api } from '../../platform/api/client.ts'
import { currentMoment, listKey, upsertNotes } from '../notes/cache/note-cache.ts'
import { fetchNotePage, notePages } from '../notes/list/note-pages.ts'
import { type NoteSearch, toApiQuery } from '../search/search-params.ts'

export const followedQuery = queryOptions({
  queryKey: ['courses', 'followed'],
  queryFn: ({ signal }) => api.call(listFollowedCourses, { signal }),
})

/** All courses, or those that match a text. The previous results stay while another text is searched. */
export const coursesQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['courses', 'all', text],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => api.call(listCourses, { query: { text, after: pageParam }, signal }),
    getNextPageParam: (last: CoursePage) => last.next ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })

/** @param key the folded code. */
export const courseQuery = (key: string) =>
  queryOptions({
    queryKey: ['courses', 'one', key],
    queryFn: async ({ signal }) => {
      const askedAt = currentMoment()
      const { favourites, ...details } = await api.call(getCourse, { params: { code: key }, signal })
      return { ...details, favouriteIds: upsertNotes(favourites, askedAt) }
    },
  })

export const newNotesQuery = queryOptions({
  queryKey: ['courses', 'new'],
  queryFn: async ({ signal }) => {
    const askedAt = currentMoment()
    return upsertNotes((await api.call(listNewNotes, { signal })).notes, askedAt)
  },
  retryOnMount: false,
})

/**
 * The notes of a course.
 * @param search its course code must be folded, and its text and title empty.
 */
export const courseNotes = (search: NoteSearch) =>
  notePages(listKey('course', search), async (next, signal) => {
    const { courseCode: code = '', ...query } = toApiQuery(search)
    const asked = { ...query, sortBy: search.sortBy, ...next }
    return fetchNotePage(() => api.call(listCourseNotes, { params: { code }, query: asked, signal }), search.sortBy)
  })
