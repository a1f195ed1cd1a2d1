import * as z from 'zod/mini'
import { academicYear, count, id, optionalSingleLineText, searchText, timestamp } from './fields.ts'
import { courseCodeLength, titleLength } from './limits.ts'
import { note, writtenDetails } from './notes.ts'

export const sortKeys = ['createdAt', 'likes'] as const
export type SortKey = (typeof sortKeys)[number]

/** The filters within a course, where an instructor matches by the whole name, regardless of case and accents. */
export const courseFilters = {
  academicYear: z.optional(
    z.union([
      z.pipe(
        z.literal(''),
        z.transform(() => undefined),
      ),
      academicYear,
    ]),
  ),
  instructor: writtenDetails.instructor,
}

/** The filters of every list of notes. */
const filters = {
  title: optionalSingleLineText(titleLength.max),
  courseCode: optionalSingleLineText(courseCodeLength.max),
  ...courseFilters,
}
export type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as FilterName[]

/**
 * The order of a list of notes and the cursor in it: the last note held, by its id and its `createdAt` (ISO 8601) or,
 * when sorting by likes, its `likes`.
 */
export const noteOrder = {
  sortBy: z._default(z.enum(sortKeys), 'createdAt'),
  cursorId: z.optional(id),
  cursorValue: z.optional(z.string()),
}
export type NoteOrder = z.infer<z.ZodMiniObject<typeof noteOrder>>

export const cursorFits = z.superRefine<NoteOrder>((query, ctx) => {
  if ((query.cursorId === undefined) !== (query.cursorValue === undefined)) {
    ctx.addIssue({ code: 'custom', path: ['cursorId'], message: 'cursorId and cursorValue go together.' })
  }
  if (query.cursorValue === undefined) return
  const value = query.sortBy === 'likes' ? likesCursor : timestamp
  if (!value.safeParse(query.cursorValue).success) {
    ctx.addIssue({ code: 'custom', path: ['cursorValue'], message: 'cursorValue does not fit the sort order.' })
  }
})
const likesCursor = z.string().check(z.regex(/^\d{1,9}$/))

/** The query of the three lists of notes. */
export const noteQuery = z.object({ ...filters, ...noteOrder }).check(cursorFits)

/**
 * The viewer's own notes can be grouped by course, each in the given order. The cursor then also has the course of the
 * last note held.
 */
export const ownNoteQuery = z
  .object({
    ...filters,
    ...noteOrder,
    groupBy: z.optional(z.enum(['course'])),
    cursorCourse: optionalSingleLineText(courseCodeLength.max),
  })
  .check(
    cursorFits,
    z.refine(({ groupBy, cursorId, cursorCourse }) => (cursorCourse !== undefined) === !!(groupBy && cursorId), {
      path: ['cursorCourse'],
      error: 'cursorCourse goes with groupBy and cursorId.',
    }),
  )

/** The query of any of the lists. */
export type NoteQuery = z.infer<typeof ownNoteQuery>

export const notePage = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type NotePage = z.infer<typeof notePage>

/** Counting stops here, because larger numbers are of no use to viewers. */
export const mostCounted = 1_000
export const noteScopes = ['all', 'mine', 'liked'] as const
/** The list to count, and its filters. */
export const noteCountQuery = z.object({ scope: z._default(z.enum(noteScopes), 'all'), ...filters })
export type NoteCountQuery = z.infer<typeof noteCountQuery>
/** `isAll` is false if there are more. */
export const noteCount = z.object({ count: count.check(z.maximum(mostCounted)), isAll: z.boolean() })
export type NoteCount = z.infer<typeof noteCount>

export const searchSortKeys = ['relevance', ...sortKeys] as const
export type SearchSortKey = (typeof searchSortKeys)[number]

/**
 * The search box: words, "phrases" and -excluded words of titles, courses, instructors, authors and texts, and the
 * operators course:, year: and by:. The filters narrow it.
 */
export const searchQuery = z.object({
  text: searchText,
  /** Which of the three lists is searched. */
  scope: z._default(z.enum(noteScopes), 'all'),
  ...filters,
  sortBy: z._default(z.enum(searchSortKeys), 'relevance'),
  /** `true` turns off the correction of typing errors. */
  exact: z.optional(z.enum(['true'])),
  /** `next` of the previous page. */
  cursor: z.optional(z.string()),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** A passage of a file, split at its matches; plain text. */
const snippet = z.object({
  page: z.int().check(z.positive()),
  parts: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
})
export type Snippet = z.infer<typeof snippet>

export const maxSnippets = 3
/** The pages of a note are searched until this many have a match. */
export const maxMatchingPages = 100
const searchHit = z.object({
  note,
  /** At most one per page, the best first. */
  snippets: z.array(snippet).check(z.maxLength(maxSnippets)),
  matchingPages: count.check(z.maximum(maxMatchingPages)),
  /** Words of the search that the note does not have. */
  missing: z.array(z.string()),
})
export type SearchHit = z.infer<typeof searchHit>

/** Notes with all words come first, then those that lack some. */
export const searchPage = z.object({
  hits: z.array(searchHit),
  next: z.nullable(z.string()),
  /** The number of notes found, up to 60; null on later pages. */
  found: z.nullable(noteCount),
  /** The search with typing errors corrected, if the notes were found by the correction. */
  corrected: z.nullable(z.string()),
  /** If nothing is found, the search without words that no note has. */
  shortened: z.nullable(z.string()),
  /** Signs in the search that are not indexed and were ignored. */
  unsearched: z.array(z.string()),
})
export type SearchPage = z.infer<typeof searchPage>

export const suggestionsQuery = z.object({ text: searchText })
const most = z.object({ count })
/** Existing values that match the typed text, with the number of their notes; the most frequent first. */
export const suggestions = z.object({
  courses: z.array(z.extend(most, { courseCode: z.string() })),
  titles: z.array(z.extend(most, { title: z.string() })),
  instructors: z.array(z.extend(most, { instructor: z.string() })),
})
export type Suggestions = z.infer<typeof suggestions>

export const maxRelatedNotes = 3
export const relatedNotes = z.object({ notes: z.array(note).check(z.maxLength(maxRelatedNotes)) })
