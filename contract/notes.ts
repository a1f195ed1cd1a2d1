import * as z from 'zod/mini'
import { academicYear, count, courseCode, id, optionalLine, timestamp } from './fields.ts'
import { instructorLength } from './limits.ts'

export const note = z.object({
  _id: id,
  title: z.string(),
  courseCode: z.string(),
  academicYear: z.string(),
  instructor: z.optional(z.string()),
  isAnonymous: z.boolean(),
  /** Null for everybody but the owner when the note is anonymous. */
  user: z.nullable(z.object({ _id: id, name: z.string() })),
  createdAt: timestamp,
  likes: count,
  dislikes: count,
})
export type Note = z.infer<typeof note>

const details = {
  courseCode,
  academicYear,
  instructor: optionalLine(instructorLength.max),
}

/** PATCH /api/users/me/notes/{id}. An instructor that is missing or blank is removed. */
export const noteEdit = z.object({ ...details, isAnonymous: z.boolean() })
export type NoteEdit = z.infer<typeof noteEdit>

/** The text parts of POST /api/notes; the files come beside them under the name `note`. */
export const uploadFields = z.object({
  ...details,
  isAnonymous: z.pipe(
    z._default(z.enum(['true', 'false']), 'false'),
    z.transform((text) => text === 'true'),
  ),
})
export type UploadFields = z.infer<typeof uploadFields>
export const uploadFileField = 'note'

export const uploadAnswer = z.object({ notes: z.array(note) })
export const noteParams = z.object({ id })
