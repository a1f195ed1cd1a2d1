import * as z from 'zod/mini'
import { foldCourseCode } from './course-code.ts'
import { count, courseCode, instructor, messages, optionalSingleLineText, singleLineText, timestamp } from './fields.ts'
import { courseCodeLength, courseNameLength, searchTextLength } from './limits.ts'
import { note } from './notes.ts'
import { cursorFits, noteOrder, optionalYear } from './search.ts'

const course = z.object({
  /** What names it in addresses: its code without blanks and hyphens. */
  key: z.string(),
  /** As the society's list spells it, else as most of its notes do. */
  courseCode: z.string(),
  /** From the society's list alone. */
  name: z.nullable(z.string()),
  notes: count,
  isFollowed: z.boolean(),
})
export type Course = z.infer<typeof course>

/** A line of the society's list. */
export const listedCourse = z.object({
  code: courseCode,
  name: singleLineText(courseNameLength.max, messages.courseName),
})
export type ListedCourse = z.infer<typeof listedCourse>

/** However the code is spelled: `csc 108` names what `CSC-108` does. */
export const courseParams = z.object({ code: z.pipe(courseCode, z.transform(foldCourseCode)) })

/** `text`: the beginning of a code, or of words of a name. `after`: `next` of the page before. */
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
  /** When its first note was shared. */
  since: z.nullable(timestamp),
  /** Which its notes are of: the latest first. */
  academicYears: z.array(z.string()),
  /** Who its notes name: who was named last first. */
  instructors: z.array(z.string()),
  /** Those that are liked most, if any are liked. */
  favourites: z.array(note).check(z.maxLength(maxFavourites)),
})
export type CourseDetails = z.infer<typeof courseDetails>

/** As `noteQuery`, within a course. An instructor is meant by the whole name, without regard to case and accents. */
export const courseNotesQuery = z.object({ academicYear: optionalYear, instructor, ...noteOrder }).check(cursorFits)
export type CourseNotesQuery = z.infer<typeof courseNotesQuery>

export const maxFollowedCourses = 100
export const digestFrequencies = ['none', 'daily', 'weekly'] as const
export type DigestFrequency = (typeof digestFrequencies)[number]
const mails = z.enum(digestFrequencies)
export const followedCourses = z.object({
  courses: z.array(course).check(z.maxLength(maxFollowedCourses)),
  /** How often one is mailed what is new in them. */
  mails,
})
export type FollowedCourses = z.infer<typeof followedCourses>
export const mailChange = z.object({ mails })

export const maxNewNotes = 8
export const newNotes = z.object({ notes: z.array(note).check(z.maxLength(maxNewNotes)) })

export const unsubscribeQuery = z.object({ token: z.string().check(z.maxLength(200)) })
