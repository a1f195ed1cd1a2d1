import * as z from 'zod/mini'
import { academicYear, count, id, line, messages, optionalLine, timestamp } from './fields.ts'
import { courseCodeLength, instructorLength, searchTextLength, titleLength } from './limits.ts'
import { note } from './notes.ts'

export const sortKeys = ['createdAt', 'likes'] as const
export type SortKey = (typeof sortKeys)[number]

const filters = {
  title: optionalLine(titleLength.max),
  courseCode: optionalLine(courseCodeLength.max),
  academicYear: z.optional(
    z.union([
      z.pipe(
        z.literal(''),
        z.transform(() => undefined),
      ),
      academicYear,
    ]),
  ),
  instructor: optionalLine(instructorLength.max),
}

const cursor = {
  sortBy: z._default(z.enum(sortKeys), 'createdAt'),
  cursorId: z.optional(id),
  cursorValue: z.optional(z.string()),
}
const likesCursor = z.string().check(z.regex(/^\d{1,9}$/))

const fittingCursor = z.superRefine<z.infer<z.ZodMiniObject<typeof cursor>>>((query, ctx) => {
  if ((query.cursorId === undefined) !== (query.cursorValue === undefined)) {
    ctx.addIssue({ code: 'custom', path: ['cursorId'], message: 'cursorId and cursorValue go together.' })
  }
  if (query.cursorValue === undefined) return
  const value = query.sortBy === 'likes' ? likesCursor : timestamp
  if (!value.safeParse(query.cursorValue).success) {
    ctx.addIssue({ code: 'custom', path: ['cursorValue'], message: 'cursorValue does not fit the sort order.' })
  }
})

/**
 * The query of the three list calls. A cursor is the last note already held, in the order asked for: its id and
 * its `createdAt` (ISO 8601) or, when sorting by likes, its `likes`.
 */
export const noteQuery = z.object({ ...filters, ...cursor }).check(fittingCursor)

/**
 * Of one's own notes the lists go course by course where that is asked for, each in the order asked for. The cursor then
 * says the course of the last note held as well.
 */
export const ownNoteQuery = z
  .object({ ...filters, ...cursor, groupBy: z.optional(z.enum(['course'])), cursorCourse: z.optional(z.string()) })
  .check(
    fittingCursor,
    z.refine(({ groupBy, cursorId, cursorCourse }) => (cursorCourse !== undefined) === !!(groupBy && cursorId), {
      path: ['cursorCourse'],
      error: 'cursorCourse goes with groupBy and cursorId.',
    }),
  )

/** What any of them may ask for. */
export type NoteQuery = z.infer<typeof ownNoteQuery>

export const notePage = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type NotePage = z.infer<typeof notePage>

export const searchSortKeys = ['relevance', ...sortKeys] as const
export type SearchSortKey = (typeof searchSortKeys)[number]

/** The one box: words and "phrases" of titles, courses, instructors and of what the files say; the four filters narrow it. */
export const searchQuery = z.object({
  text: line(searchTextLength.max, messages.emptySearch),
  ...filters,
  sortBy: z._default(z.enum(searchSortKeys), 'relevance'),
  /** `next` of the page before. */
  cursor: z.optional(z.string()),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** A passage of a file, cut at its matches: to be shown as text. */
export const snippet = z.object({
  page: z.int().check(z.positive()),
  parts: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
})
export type Snippet = z.infer<typeof snippet>

export const maxSnippets = 3
export const searchHit = z.object({ note, snippets: z.array(snippet).check(z.maxLength(maxSnippets)) })
export type SearchHit = z.infer<typeof searchHit>

export const searchPage = z.object({
  hits: z.array(searchHit),
  next: z.nullable(z.string()),
  /** Where nothing is found: the same search with what was probably meant, if that finds something. */
  didYouMean: z.nullable(z.string()),
  /** Where nothing is found: words and phrases of the search that it finds something without. */
  leaveOut: z.array(z.string()),
})
export type SearchPage = z.infer<typeof searchPage>

export const suggestionsQuery = z.object({ text: line(searchTextLength.max, messages.emptySearch) })
const most = z.object({ count })
/** What exists and begins with or contains what was typed, with the number of notes; the most frequent first. */
export const suggestions = z.object({
  courses: z.array(z.extend(most, { courseCode: z.string() })),
  titles: z.array(z.extend(most, { title: z.string() })),
  instructors: z.array(z.extend(most, { instructor: z.string() })),
})
export type Suggestions = z.infer<typeof suggestions>

export const maxRelatedNotes = 3
export const relatedNotes = z.object({ notes: z.array(note).check(z.maxLength(maxRelatedNotes)) })
