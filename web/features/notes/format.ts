// Not `Intl`: its first use in a page loads all of its rules, which costs a phone a fifth of a second before the first
// card is there. Lectern speaks English, and so do these.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A day by the student's own clock: `21 Nov 2026`. */
export function formatDay(isoTime: string): string {
  const time = new Date(isoTime)
  return `${time.getDate()} ${months[time.getMonth()]} ${time.getFullYear()}`
}

/** A point in time by the student's own clock: `2026-11-21T09:30:00Z` reads `21 Nov 2026, 09:30` in London. */
export function formatMoment(isoTime: string): string {
  const time = new Date(isoTime)
  const [hours, minutes] = [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0'))
  return `${formatDay(isoTime)}, ${hours}:${minutes}`
}

/** A day without a time, the same everywhere: `2026-11-16` reads `16 Nov 2026`. */
export function formatDate(isoDay: string): string {
  const [year, month, day] = isoDay.split('-').map(Number)
  return `${day} ${months[(month ?? 1) - 1]} ${year}`
}

/** A whole number with its thousands apart: `1234567` reads `1,234,567`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** So many of something: `1 note`, `1,234 notes`. */
export const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`

/** How much of a list there is to see, for a screen reader: `24 notes shown. More can be loaded.` */
export const describeShown = (count: number, hasMore: boolean, noun = 'note'): string =>
  `${countOf(count, noun)} shown.${hasMore ? ' More can be loaded.' : ''}`
