import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  getCourse,
  listCourseNotes,
  listCourses,
  listFollowedCourses,
  listNewNotes,
} from '../../contract/courses.endpoints.ts'
import type { CoursePage } from '../../contract/courses.ts'
import { api } from '../api/client.ts'
import { cursorOf, type ListData, type ListPage, noteIdsOf } from '../notes/cache/list-pages.ts'
import { keepNotes } from '../notes/cache/note-cache.ts'
import { loadLettersOf } from '../notes/list/letters.ts'
import { type NoteSearch, queryOf } from '../notes/search/search-params.ts'

/** What one follows, and how often one is mailed about it. */
export const followedQuery = queryOptions({
  queryKey: ['courses', 'followed'],
  queryFn: ({ signal }) => api.call(listFollowedCourses, { signal }),
})

/** All courses, or those that a text finds. While another text is looked for, what was found before stays. */
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
      const { favourites, ...told } = await api.call(getCourse, { params: { code: key }, signal })
      return { ...told, favouriteIds: keepNotes(favourites) }
    },
  })

/** The newest notes of others in the courses one follows. */
export const newNotesQuery = queryOptions({
  queryKey: ['courses', 'new'],
  queryFn: async ({ signal }) => keepNotes((await api.call(listNewNotes, { signal })).notes),
})

/**
 * The notes of a course. A list as those in `notes/list` are, and kept beside them, so that a note that goes leaves it
 * too.
 * @param search its course code is the folded one; its text and title are empty.
 */
export const courseNotesQuery = (search: NoteSearch) =>
  infiniteQueryOptions({
    queryKey: ['notes', 'course', search],
    initialPageParam: null as ListPage['next'],
    queryFn: async ({ pageParam, signal }): Promise<ListPage> => {
      const { courseCode: code, ...query } = queryOf(search)
      const asked = { ...query, ...(pageParam && { sortBy: search.sortBy, ...pageParam }) }
      const { notes, hasMore } = await api.call(listCourseNotes, { params: { code: code ?? '' }, query: asked, signal })
      loadLettersOf(notes)
      const last = notes.at(-1)
      return { noteIds: keepNotes(notes), next: hasMore && last ? cursorOf(last, search.sortBy) : null }
    },
    getNextPageParam: (last) => last.next ?? undefined,
    select: (data: ListData) => ({ noteIds: noteIdsOf(data), hasMore: data.pages.at(-1)?.next != null }),
    refetchOnWindowFocus: false,
  })
