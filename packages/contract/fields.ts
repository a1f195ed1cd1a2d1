import * as z from 'zod/mini'
import { cleanLine, cleanText, countCharacters } from './clean-text.ts'
import { foldCourseCode } from './course-code.ts'
import {
  courseCodeLength,
  formatAcademicYear,
  instructorLength,
  nameLength,
  searchTextLength,
  titleLength,
} from './limits.ts'

export const messages = {
  fillAllFields: 'Please fill in all fields',
  fillRequiredFields: 'Please fill in all required fields.',
  invalidEmail: 'Please enter a valid email address',
  unsafeText: 'This contains characters that aren’t allowed.',
  academicYear: 'Choose an academic year like 2026–27.',
  courseCode: 'A course code needs at least one letter or digit.',
  courseName: 'A course needs a name.',
  changeSomething: 'Change at least one field.',
  ofOneFile: 'Send each file by itself to set this.',
  emptySearch: 'Enter something to search for.',
} as const

export const tooLong = (max: number) => `Use at most ${max} characters.`

/** Longer input is refused before it is cleaned, because cleaning takes time for every character. */
const maxTypedLength = 50_000
const isShort = (maxLength: number) => z.maxLength(maxTypedLength, { error: tooLong(maxLength), abort: true })
const fits = (maxLength: number) =>
  z.refine<string>((kept) => countCharacters(kept) <= maxLength, { error: tooLong(maxLength), abort: true })

const required = (clean: (typed: string) => string) => (maxLength: number, requiredMessage: string) =>
  z
    .string({ error: requiredMessage })
    .check(
      isShort(maxLength),
      z.overwrite(clean),
      z.minLength(1, { error: requiredMessage, abort: true }),
      fits(maxLength),
    )

const maybeBlank = (clean: (typed: string) => string) => (maxLength: number) =>
  z.string().check(isShort(maxLength), z.overwrite(clean), fits(maxLength))

const blankAs = <Typed extends string, Blank>(typed: z.ZodMiniType<Typed, string>, blank: Blank) =>
  z.pipe(
    typed,
    z.transform((kept) => (kept === '' ? blank : (kept as Exclude<Typed, ''>))),
  )

/** A blank value counts as not given. */
export const blankIsAbsent = <Typed extends string>(typed: z.ZodMiniType<Typed, string>) =>
  z.optional(blankAs(typed, undefined))
/** For a partial change: blank and null remove the value, and a missing field keeps it. */
export const blankIsRemoved = <Typed extends string>(typed: z.ZodMiniType<Typed, string>) =>
  z.optional(z.nullable(blankAs(typed, null)))

const optional = (clean: (typed: string) => string) => (maxLength: number) =>
  blankIsAbsent(maybeBlank(clean)(maxLength))

/** A single line of text. Its length is that of the cleaned text. */
export const singleLineText = required(cleanLine)
export const optionalSingleLineText = optional(cleanLine)
export const multiLineText = required(cleanText)
export const optionalMultiLineText = optional(cleanText)

export const name = singleLineText(nameLength.max, messages.fillAllFields)
export const title = singleLineText(titleLength.max, messages.fillRequiredFields)
export const instructor = maybeBlank(cleanLine)(instructorLength.max)
export const searchText = singleLineText(searchTextLength.max, messages.emptySearch)

/**
 * In upper case, which may be longer than the typed code, as may be the key of its course in URLs; all must fit the
 * limit.
 */
export const courseCode = singleLineText(courseCodeLength.max, messages.fillRequiredFields).check(
  z.toUpperCase(),
  z.overwrite(cleanLine),
  z.refine((code) => [code, foldCourseCode(code)].every((form) => countCharacters(form) <= courseCodeLength.max), {
    error: tooLong(courseCodeLength.max),
  }),
  z.refine((code) => [code, foldCourseCode(code)].every((form) => /[\p{L}\p{N}]/u.test(form)), {
    error: messages.courseCode,
  }),
  z.refine((code) => foldCourseCode(foldCourseCode(code)) === foldCourseCode(code), { error: messages.unsafeText }),
)

/** `2026–27`; a hyphen is accepted for the en dash, and the years must be consecutive. */
export const academicYear = z.string({ error: messages.fillRequiredFields }).check(
  z.overwrite(cleanLine),
  z.minLength(1, { error: messages.fillRequiredFields, abort: true }),
  z.overwrite((year) => year.replace('-', '–')),
  z.refine((year) => /^\d{4}–\d{2}$/.test(year) && year === formatAcademicYear(Number(year.slice(0, 4))), {
    error: messages.academicYear,
  }),
)

/** For queries: several values in one. */
export const commaSeparated = <Values extends z.core.$ZodType<unknown, string[]>>(values: Values) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((typed) => typed.split(',')),
    ),
    values,
  )

/** The position after the last row that the client holds: its sort values. */
export const placeAfter = <Place extends z.core.$ZodType<unknown, string[]>>(place: Place) =>
  z.optional(commaSeparated(place))

/** For queries and form fields. @param digits what is accepted. */
export const wholeNumber = (digits: RegExp) =>
  z.pipe(
    z.string().check(z.regex(digits)),
    z.transform((text) => Number(text)),
  )

/** In lower case like PostgreSQL's output, so that equal ids are equal strings. */
export const id = z.uuid().check(z.toLowerCase())
export const count = z.int().check(z.nonnegative())
/** ISO 8601 UTC with milliseconds: `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 })
