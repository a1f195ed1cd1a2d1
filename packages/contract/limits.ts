/** Numbers and lists both sides keep to. What an operator may change travels in `clientConfig` instead. */

export const passwordLength = { min: 10, max: 128 } as const
export const nameLength = { max: 100 } as const
export const emailLength = { max: 254 } as const
export const courseCodeLength = { max: 32 } as const
export const instructorLength = { max: 100 } as const
export const passkeyNameLength = { max: 60 } as const
/** Of one student. */
export const passkeyLimit = 20
/** In the list of courses that the society keeps. */
export const courseNameLength = { max: 150 } as const
export const titleLength = { max: 200 } as const
/** What is typed into the one search box: a whole title too, with the quotes of a phrase. */
export const searchTextLength = { max: titleLength.max + 2 } as const
/** Words of a page that a shared address marks. */
export const quoteLength = { max: 200 } as const

/** Notes a list call answers with: divides evenly into 1, 2, 3 and 4 columns. */
export const pageSize = 24
export const recentlyViewedLimit = 24
/** Notes in `likedNotesDisplay`; the Liked Notes page goes on from there. */
export const likedNotesDisplayLimit = 24
const academicYearsOffered = 10

/** Milliseconds, from SPEC.md section 9. */
export const redirectDelayMs = 5_000
export const taglineRotationMs = 30_000
export const toastDurationMs = 5_000

/** `2026` becomes `2026–27`, with an en dash. */
export function formatAcademicYear(startYear: number): string {
  return `${startYear}–${String((startYear + 1) % 100).padStart(2, '0')}`
}

/**
 * The calendar year in which the academic year under way at `now` began (UTC).
 * @param startMonth 1 to 12, the month an academic year begins in.
 */
export function currentAcademicYearStart(now: Date, startMonth: number): number {
  return now.getUTCMonth() + 1 >= startMonth ? now.getUTCFullYear() : now.getUTCFullYear() - 1
}

/** The academic years a form offers, newest first. */
export function academicYears(now: Date, startMonth: number): string[] {
  const current = currentAcademicYearStart(now, startMonth)
  return Array.from({ length: academicYearsOffered }, (_, back) => formatAcademicYear(current - back))
}
