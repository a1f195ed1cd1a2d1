import * as z from 'zod/mini'
import { foldCourseCode } from './course-code.ts'
import { count, courseCode, messages, optionalSingleLineText, singleLineText, timestamp } from './fields.ts'
import { courseCodeLength, courseNameLength, searchTextLength } from './limits.ts'
import { note } from './notes.ts'
import { courseFilters, cursorFits, noteOrder } from './search.ts'

const course = z.object({
  /** Identifies the course in URLs: its code without spaces and hyphens. */
  key: z.string(),
  /** The spelling of the imported list, otherwise the most frequent one among its notes. */
  courseCode: z.string(),
  /** From the imported list only. */
  name: z.nullable(z.string()),
  notes: count,
  isFollowed: z.boolean(),
})
export type Course = z.infer<typeof course>

/** A line of the imported list. */
export const listedCourse = z.object({
  code: courseCode,
  name: singleLineText(courseNameLength.max, messages.courseName),
})
export type ListedCourse = z.infer<typeof listedCourse>

/** Accepts every spelling of a code: `csc 108` and `CSC-108` are the same course. */
export const courseParams = z.object({ code: z.pipe(courseCode, z.transform(foldCourseCode)) })

/** `text` is the beginning of a code or of words of a name. `after` is `next` of the previous page. */
export const coursesQuery = z.object({
  text: optionalSingleLineText(searchTextLength.max),
  after: optionalSingleLineText(courseCodeLength.max),
})
export const coursesPageSize = 60
export const coursePage = z.object({ courses: z.array(course), next: z.nullable(z.string()) })
export type CoursePage = z.infer<typeof coursePage>

export const maxFavourites = 3
export const courseDetails = z.object({
  course,
  /** How many other users follow it. */
  followers: count,
  /** When its first note was shared. */
  since: z.nullable(timestamp),
  /** The years of its notes, the latest first. */
  academicYears: z.array(z.string()),
  /** The instructors named in its notes, the most recently named first. */
  instructors: z.array(z.string()),
  /** The notes with the most likes; empty if none has any. */
  favourites: z.array(note).check(z.maxLength(maxFavourites)),
})
export type CourseDetails = z.infer<typeof courseDetails>

/** Like `noteQuery`, within a course. */
export const courseNotesQuery = z.object({ ...courseFilters, ...noteOrder }).check(cursorFits)
export type CourseNotesQuery = z.infer<typeof courseNotesQuery>

export const maxFollowedCourses = 100
export const digestFrequencies = ['none', 'daily', 'weekly'] as const
export type DigestFrequency = (typeof digestFrequencies)[number]
const mails = z.enum(digestFrequencies)
export const followedCourses = z.object({
  courses: z.array(course).check(z.maxLength(maxFollowedCourses)),
  /** How often the user gets mails about new notes in these courses. */
  mails,
})
export type FollowedCourses = z.infer<typeof followedCourses>
export const mailChange = z.object({ mails })

export const maxNewNotes = 8
export const newNotes = z.object({ notes: z.array(note).check(z.maxLength(maxNewNotes)) })

export const unsubscribeQuery = z.object({ token: z.string().check(z.maxLength(200)) })
