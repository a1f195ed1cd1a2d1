const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A point in time as the student's own language and time zone write it: date and time. */
export const formatMoment = (isoTime: string): string => moment.format(new Date(isoTime))
