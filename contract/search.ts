import * as z from 'zod/mini'
import { academicYear, id, optionalLine, timestamp } from './fields.ts'
import { courseCodeLength, instructorLength, titleLength } from './limits.ts'
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

/**
 * The query of the three list calls. A cursor is the last note already held, in the order asked for: its id and
 * its `createdAt` (ISO 8601) or, when sorting by likes, its `likes`.
 */
export const noteQuery = z
  .object({
    ...filters,
    sortBy: z._default(z.enum(sortKeys), 'createdAt'),
    cursorId: z.optional(id),
    cursorValue: z.optional(z.string()),
  })
  .check(
    z.superRefine((query, ctx) => {
      if ((query.cursorId === undefined) !== (query.cursorValue === undefined)) {
        ctx.addIssue({ code: 'custom', path: ['cursorId'], message: 'cursorId and cursorValue go together.' })
      }
      if (query.cursorValue === undefined) return
      const value = query.sortBy === 'likes' ? likesCursor : timestamp
      if (!value.safeParse(query.cursorValue).success) {
        ctx.addIssue({ code: 'custom', path: ['cursorValue'], message: 'cursorValue does not fit the sort order.' })
      }
    }),
  )
const likesCursor = z.string().check(z.regex(/^\d{1,9}$/))

export type NoteQuery = z.infer<typeof noteQuery>

export const notePage = z.object({ notes: z.array(note), hasMore: z.boolean() })
export type NotePage = z.infer<typeof notePage>
