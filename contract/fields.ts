import * as z from 'zod/mini'
import { foldCourseCode } from './course-code.ts'
import { courseCodeLength, formatAcademicYear } from './limits.ts'

/** Characters that hide, reorder or break text: controls, line breaks, bidi marks and overrides, lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
export const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u

export const messages = {
  fillAllFields: 'Please fill in all fields',
  fillRequiredFields: 'Please fill in all required fields.',
  invalidEmail: 'Please enter a valid email address',
  unsafeText: 'This contains characters that cannot be used here.',
  academicYear: 'Please choose an academic year like 2026–27.',
  courseCode: 'A course code needs at least one letter or digit.',
  courseName: 'A course needs a name.',
  changeSomething: 'Change at least one of these.',
  ofOneFile: 'Send each file by itself to set this.',
  emptySearch: 'Please type something to look for.',
} as const

export const tooLong = (max: number) => `Please use at most ${max} characters.`

/**
 * Characters (UTF-16 units) worth normalising for a text of at most `maxLength` code points; more cannot become so few.
 * Normalising takes quadratic time: 30,000 combining marks keep a server busy for seconds.
 */
export const maxUnnormalised = (maxLength: number) => 8 * maxLength

/** Whether there is anything in it to be seen. */
export const isVisible = (text: string): boolean => /(?![\p{DI}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/** No language puts so many marks on a letter; a tower of them covers the lines above. */
const maxMarks = 8
const towers = new RegExp(`\\p{M}{${maxMarks + 1}}`, 'u')

/** One line of text as a person types it: trimmed, NFC, free of control and bidi characters. */
export function line(maxLength: number, requiredMessage: string) {
  return z
    .string({ error: requiredMessage })
    .check(z.trim(), z.minLength(1, { error: requiredMessage, abort: true }), ...typedLine(maxLength))
}

/** As `line`, where blank means "not given". */
export const optionalLine = (maxLength: number) => z.optional(lineOr(undefined, maxLength))

/** As `line` in a change of some fields, where blank and null mean "removed": JSON keeps them apart from what is left out. */
export const clearableLine = (maxLength: number) => z.optional(z.nullable(lineOr(null, maxLength)))

const lineOr = <Blank>(blank: Blank, maxLength: number) =>
  z.pipe(
    z.string().check(z.trim(), ...typedLine(maxLength)),
    z.transform((text) => (text === '' ? blank : text)),
  )

/** Text of several lines, as a person types it: as `line`, with its line breaks. */
export function text(maxLength: number, requiredMessage: string) {
  return z
    .string({ error: requiredMessage })
    .check(
      z.trim(),
      z.minLength(1, { error: requiredMessage, abort: true }),
      ...typedText(maxLength),
      z.refine(isVisible, { error: requiredMessage }),
    )
}

/** As `text`, where blank means "not given". */
export function optionalText(maxLength: number) {
  return z.optional(
    z.pipe(
      z.string().check(
        z.trim(),
        ...typedText(maxLength),
        z.refine((typed) => typed === '' || isVisible(typed), { error: messages.unsafeText }),
      ),
      z.transform((typed) => (typed === '' ? undefined : typed)),
    ),
  )
}

const typedText = (maxLength: number) => [
  z.maxLength(maxUnnormalised(maxLength), { error: tooLong(maxLength), abort: true }),
  z.normalize('NFC'),
  // One empty line sets paragraphs apart; more would push what stands below out of sight.
  z.overwrite<string>((typed) => typed.replace(/\r\n?/g, '\n').replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')),
  z.refine<string>((typed) => !unsafeCharacters.test(typed.replaceAll('\n', ' ')), { error: messages.unsafeText }),
  z.refine<string>((typed) => !towers.test(typed), { error: messages.unsafeText }),
  z.refine<string>((typed) => [...typed].length <= maxLength, { error: tooLong(maxLength) }),
]

const typedLine = (maxLength: number) => [
  z.maxLength(maxUnnormalised(maxLength), { error: tooLong(maxLength), abort: true }),
  z.normalize('NFC'),
  z.refine<string>((text) => !unsafeCharacters.test(text), { error: messages.unsafeText }),
  z.refine<string>((text) => [...text].length <= maxLength, { error: tooLong(maxLength) }),
]

/** In upper case, which may be longer than what was typed; and so may be the key that names its course in addresses. */
export const courseCode = line(courseCodeLength.max, messages.fillRequiredFields).check(
  z.toUpperCase(),
  z.normalize('NFC'),
  z.refine((code) => [code, foldCourseCode(code)].every((form) => [...form].length <= courseCodeLength.max), {
    error: tooLong(courseCodeLength.max),
  }),
  z.refine((code) => [code, foldCourseCode(code)].every((form) => /[\p{L}\p{N}]/u.test(form)), {
    error: messages.courseCode,
  }),
  z.refine((code) => foldCourseCode(foldCourseCode(code)) === foldCourseCode(code), { error: messages.unsafeText }),
)

/** `2026–27`; a plain hyphen is accepted for the en dash, and the years must follow one another. */
export const academicYear = z.string({ error: messages.fillRequiredFields }).check(
  z.trim(),
  z.minLength(1, { error: messages.fillRequiredFields, abort: true }),
  z.overwrite((year) => year.replace('-', '–')),
  z.refine((year) => /^\d{4}–\d{2}$/.test(year) && year === formatAcademicYear(Number(year.slice(0, 4))), {
    error: messages.academicYear,
  }),
)

/** As PostgreSQL writes it, so that the same id is the same text. */
export const id = z.uuid().check(z.toLowerCase())
export const count = z.int().check(z.nonnegative())
/** ISO 8601 UTC with milliseconds: `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 })
