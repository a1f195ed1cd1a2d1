// `Intl` is not used: its first use in a page loads all of its rules, which delays the first card by a fifth of a
// second on a phone. Lectern is in English only.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a day in the viewer's time zone: `21 Nov 2026`. */
export function formatDay(isoTime: string): string {
  const time = new Date(isoTime)
  return `${time.getDate()} ${months[time.getMonth()]} ${time.getFullYear()}`
}

/** Formats a time in the viewer's time zone: `2026-11-21T09:30:00Z` becomes `21 Nov 2026, 09:30` in London. */
export function formatMoment(isoTime: string): string {
  const time = new Date(isoTime)
  const [hours, minutes] = [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0'))
  return `${formatDay(isoTime)}, ${hours}:${minutes}`
}

/** Formats a day independently of time zones: `2026-11-16` becomes `16 Nov 2026`. */
export function formatDate(isoDay: string): string {
  const [year, month, day] = isoDay.split('-').map(Number)
  return `${day} ${months[(month ?? 1) - 1]} ${year}`
}

/** Separates thousands: `1234567` becomes `1,234,567`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Returns a count with its noun: `1 note`, `1,234 notes`. */
export const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`

/** Returns the length of a list for screen readers: `24 notes shown. More can be loaded.` */
export const describeShown = (count: number, hasMore: boolean, noun = 'note'): string =>
  `${countOf(count, noun)} shown.${hasMore ? ' More can be loaded.' : ''}`

const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** Formats a size in steps of 1,024, as the size limit counts: `812 bytes`, `1.4 MB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // The limit is half a step lower, because 1,023.9 kB would be shown as 1,024 kB.
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit > 1 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit]}`
}

/** The text of a grid whose notes could not be loaded (SPEC.md section 2). */
export const fetchErrorText = 'There was an error fetching your notes. Please try again.'
