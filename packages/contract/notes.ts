import * as z from 'zod/mini'
import {
  academicYear,
  blankIsAbsent,
  blankIsRemoved,
  commaSeparated,
  count,
  courseCode,
  id,
  instructor,
  messages,
  timestamp,
  title,
  wholeNumber,
} from './fields.ts'
import { pageSize } from './limits.ts'
import { rules } from './moderation-rules.ts'

/**
 * What could not be extracted from the file, as shown to its owner: any text (`no_text`: it has none; `no_text_yet`:
 * words on its pages are still being recognised; `text_cut`: its end is not stored), the words on pages that are
 * images, or a thumbnail.
 */
const documentProblems = ['text', 'text_cut', 'no_text', 'no_text_yet', 'words', 'picture'] as const
/** Why processing was given up: the first four are caused by the file, the others by the program that reads it. */
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
/** `pages` are the pages whose words are missing, counted from 1. */
const documentProblem = z.object({
  what: z.enum(documentProblems),
  reason: z.optional(z.enum(problemReasons)),
  pages: z.optional(z.array(count)),
})
export type DocumentProblem = z.infer<typeof documentProblem>

const required = <Typed extends z.ZodMiniType>(typed: Typed) => ({
  read: z.string(),
  write: typed,
  change: z.optional(typed),
})
/** Here alone, a removed value is told from one that is left out of a partial change. */
const removable = <Read extends z.ZodMiniType, Typed extends string>(
  read: Read,
  typed: z.ZodMiniType<Typed, string>,
) => ({ read: z.optional(read), write: blankIsAbsent(typed), change: blankIsRemoved(typed) })

/** What authors say about a note and moderators may correct. CONTRIBUTING has the recipe for another one. */
const details = {
  courseCode: required(courseCode),
  academicYear: required(academicYear),
  instructor: removable(z.string(), instructor),
}
export type DetailName = keyof typeof details
export const detailNames = Object.keys(details) as DetailName[]

const fieldsOf = <Way extends 'read' | 'write' | 'change'>(way: Way) =>
  Object.fromEntries(detailNames.map((name) => [name, details[name][way]])) as {
    [Name in DetailName]: (typeof details)[Name][Way]
  }
/** The fields of a request that gives all details. */
export const writtenDetails = fieldsOf('write')
/** Missing fields stay unchanged; null and blank ones are removed. */
export const changedDetails = fieldsOf('change')

const document = z.object({
  bytes: count,
  /** Null if the pages cannot be counted because the file requires a password. */
  pageCount: z.nullable(count),
  /** Part of the URLs of the thumbnail of its first page; null if there is none (yet). */
  thumbnail: z.nullable(z.string()),
  /** Its text or thumbnail is still being made: a page that shows the note requests it again (`getNotes`). */
  isProcessing: z.boolean(),
  /** Only for the owner, if there are any. */
  problems: z.optional(z.array(documentProblem)),
  /** Only for the owner: pages rasterised when the file was made anonymous, counted from 1. */
  drawnPages: z.optional(z.array(count)),
  /**
   * Only for the owner: number of links and form values removed from an anonymous file because they identified the
   * owner.
   */
  droppedLinks: z.optional(count),
})

export const note = z.object({
  _id: id,
  title: z.string(),
  ...fieldsOf('read'),
  isAnonymous: z.boolean(),
  /** Null on an anonymous note, except for its owner. */
  user: z.nullable(z.object({ _id: id, name: z.string() })),
  createdAt: timestamp,
  likes: count,
  dislikes: count,
  document,
  /** Only for the owner and moderators, if the note is hidden from others. */
  hidden: z.optional(z.object({ at: timestamp, rule: z.enum(rules), reason: z.string() })),
  /** Only for the owner and moderators: the value for If-Match, in double quotes there. Only an edit changes it. */
  version: z.optional(z.string()),
})
export type Note = z.infer<typeof note>

/** PATCH /api/users/me/notes/{id}. Missing and blank details are removed; a missing title stays unchanged. */
export const noteEdit = z.object({ ...writtenDetails, title: z.optional(title), isAnonymous: z.boolean() })
export type NoteEdit = z.infer<typeof noteEdit>

export const noteChange = z
  .object({ ...changedDetails, isAnonymous: z.optional(z.boolean()) })
  .check(z.refine((change) => Object.keys(change).length > 0, { error: messages.changeSomething }))
export type NoteChange = z.infer<typeof noteChange>

/**
 * The text parts of POST /api/notes; the files are sent beside them under the name `note`. A note without a title gets
 * the name of its file.
 */
export const uploadFields = z.object({
  ...writtenDetails,
  title: z.optional(title),
  /**
   * An id that the client chooses for all requests of one upload. With the position it is the idempotency key of a
   * file.
   */
  batch: z.optional(id),
  /**
   * The position of its first file in the whole upload, from 0. My Notes keeps this order, whichever file arrives
   * first.
   */
  position: z.optional(wholeNumber(/^\d{1,4}$/)),
  isAnonymous: z.pipe(
    z._default(z.enum(['true', 'false']), 'false'),
    z.transform((text) => text === 'true'),
  ),
  /**
   * Pages of an anonymous file, from 1 and separated by commas, where the author's name is invisible and therefore
   * removed from the text.
   */
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

/** Two pages of a list. */
export const maxNotesAsked = 2 * pageSize
export const notesQuery = z.object({ ids: commaSeparated(z.array(id).check(z.maxLength(maxNotesAsked))) })
export const notesResponse = z.object({ notes: z.array(note) })

/** `sha256` is the hash of the file as it would be sent, in hexadecimal digits. */
export const sameFileQuery = z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/i)) })
/** A file of an upload, identified by the fields sent with it. */
export const batchFile = z.object({ batch: id, position: z.int().check(z.nonnegative(), z.maximum(9999)) })

export type BatchFile = z.infer<typeof batchFile>

export const sameFile = z.object({ note: z.nullable(note) })
