/** Limits and lists for server and pages. Values that an operator can change are in `clientConfig` instead. */

export const passwordLength = { min: 10, max: 128 } as const
export const nameLength = { max: 100 } as const
export const emailLength = { max: 254 } as const
export const courseCodeLength = { max: 32 } as const
export const instructorLength = { max: 100 } as const
export const passkeyNameLength = { max: 60 } as const
/** Maximum number of passkeys of one user. */
export const passkeyLimit = 20
/** Length of names in the imported list of courses. */
export const courseNameLength = { max: 150 } as const
export const titleLength = { max: 200 } as const
/** Length of a search, which fits a whole title in quotes. */
export const searchTextLength = { max: titleLength.max + 2 } as const
/** Length of the quote from a page that a shared URL highlights. */
export const quoteLength = { max: 200 } as const

/** Notes per page of a list: divisible by 1, 2, 3 and 4 columns. */
export const pageSize = 24
export const recentlyViewedLimit = 24
/** Notes in `likedNotesDisplay`; the Liked Notes page loads the rest. */
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
 * Returns the calendar year in which the academic year of `now` began (UTC).
 * @param startMonth 1 to 12, the month in which an academic year begins.
 */
export function currentAcademicYearStart(now: Date, startMonth: number): number {
  return now.getUTCMonth() + 1 >= startMonth ? now.getUTCFullYear() : now.getUTCFullYear() - 1
}

/** Returns the academic years for a form, the newest first. */
export function academicYears(now: Date, startMonth: number): string[] {
  const current = currentAcademicYearStart(now, startMonth)
  return Array.from({ length: academicYearsOffered }, (_, back) => formatAcademicYear(current - back))
}
