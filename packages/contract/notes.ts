import * as z from 'zod/mini'
import {
  academicYear,
  clearableInstructor,
  count,
  courseCode,
  id,
  instructor,
  messages,
  timestamp,
  title,
} from './fields.ts'
import { pageSize } from './limits.ts'
import { rules } from './moderation-rules.ts'

/**
 * What a student is told that could not be had of the file: any text (`no_text`: there is none to be read; `no_text_yet`:
 * words on its pages are still being recognised; `text_cut`: its end is not kept), the words on pictures of pages, a picture.
 */
const documentProblems = ['text', 'text_cut', 'no_text', 'no_text_yet', 'words', 'picture'] as const
/** Why it was given up: the file is to blame for the first four, what reads it failed with the others. */
const problemReasons = [
  'locked',
  'unreadable',
  'too-large',
  'missing',
  'timeout',
  'memory',
  'crash',
  'not-kept',
] as const
export type ProblemReason = (typeof problemReasons)[number]
/** `pages`: whose words are missing, counted from 1. */
const documentProblem = z.object({
  what: z.enum(documentProblems),
  reason: z.optional(z.enum(problemReasons)),
  pages: z.optional(z.array(count)),
})
export type DocumentProblem = z.infer<typeof documentProblem>

/** A note's file. */
const document = z.object({
  bytes: count,
  /** Null where nobody can count them: the file asks for a password. */
  pageCount: z.nullable(count),
  /** Names the addresses of the picture of its first page; null where there is none (yet). */
  thumbnail: z.nullable(z.string()),
  /** Its text or its picture is still to come: whoever shows the note asks again (`getNotes`). */
  isProcessing: z.boolean(),
  /** For the owner alone, where there are any. */
  problems: z.optional(z.array(documentProblem)),
  /** For the owner alone: pages that became pictures when the file was made anonymous, counted from 1. */
  drawnPages: z.optional(z.array(count)),
  /** For the owner alone: links and form values that were left out of an anonymous file because they named them. */
  droppedLinks: z.optional(count),
})

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
  document,
  /** For its owner and for moderators alone, where it is hidden from everybody else. */
  hidden: z.optional(z.object({ at: timestamp, rule: z.enum(rules), reason: z.string() })),
  /** For its owner and for moderators alone: what If-Match takes, in double quotes. Every edit changes it, and nothing else. */
  version: z.optional(z.string()),
})
export type Note = z.infer<typeof note>

const details = {
  courseCode,
  academicYear,
  instructor,
  title: z.optional(title),
}

/** PATCH /api/users/me/notes/{id}. An instructor that is missing or blank is removed; a title that is missing stays. */
export const noteEdit = z.object({ ...details, isAnonymous: z.boolean() })
export type NoteEdit = z.infer<typeof noteEdit>

/** Some of the details. What is left out stays as it is; an instructor that is null or blank is removed. */
export const noteChange = z
  .extend(z.partial(z.omit(noteEdit, { title: true })), { instructor: clearableInstructor })
  .check(z.refine((change) => Object.keys(change).length > 0, { error: messages.changeSomething }))
export type NoteChange = z.infer<typeof noteChange>

/**
 * The text parts of POST /api/notes; the files come beside them under the name `note`. A note without a title is called
 * like its file.
 */
export const uploadFields = z.object({
  ...details,
  /**
   * One for all requests of an upload that takes several, chosen by who uploads. With the position it is the idempotency key
   * of a file.
   */
  batch: z.optional(id),
  /** Of its first file among all of the upload, from 0: My Notes keeps that order, whichever arrives first. */
  position: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,4}$/)),
      z.transform((text) => Number(text)),
    ),
  ),
  isAnonymous: z.pipe(
    z._default(z.enum(['true', 'false']), 'false'),
    z.transform((text) => text === 'true'),
  ),
  /** Pages of an anonymous file, from 1 and separated by commas, whose text loses its author's name because it is invisible there. */
  hiddenNamePages: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,4}(,[1-9]\d{0,4}){0,199}$/)),
      z.transform((text) => text.split(',').map(Number)),
    ),
  ),
})
export type UploadFields = z.infer<typeof uploadFields>
export const uploadFileField = 'note'

export const noteParams = z.object({ id })

/** So many notes as a page of a list, twice. */
export const maxNotesAsked = 2 * pageSize
/** `ids`: separated by commas. */
export const notesQuery = z.object({
  ids: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',')),
    ),
    z.array(id).check(z.maxLength(maxNotesAsked)),
  ),
})
export const notesAnswer = z.object({ notes: z.array(note) })

/** `sha256`: of the file as it would be sent, in hexadecimal digits. */
export const sameFileQuery = z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/i)) })
/** A file of an upload, by what was sent with it. */
export const batchFile = z.object({ batch: id, position: z.int().check(z.nonnegative(), z.maximum(9999)) })

export type BatchFile = z.infer<typeof batchFile>

export const sameFile = z.object({ note: z.nullable(note) })
