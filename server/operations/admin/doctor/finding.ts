import { connect } from '../../../platform/db/client.ts'

/** The result of a check, with advice if something is wrong. */
export type Finding = { kind: 'ok' | 'warning' | 'failure'; text: string }

export const ok = (text: string): Finding => ({ kind: 'ok', text })
/** It works but is probably not intended. */
export const warning = (text: string): Finding => ({ kind: 'warning', text })
export const failure = (text: string): Finding => ({ kind: 'failure', text })

/** Defines a check that yields its findings, and ends where further ones make no sense. */
export const defineCheck =
  <Given extends unknown[]>(check: (...given: Given) => AsyncGenerator<Finding>) =>
  (...given: Given): Promise<Finding[]> =>
    Array.fromAsync(check(...given))

/** Adds a full stop if it is missing, because error messages of others may or may not end with one. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** @throws when the database cannot be reached. */
export const connectTo = (connectionString: string) =>
  connect({ connectionString, connectionTimeoutMillis: 5_000, application_name: 'lectern-doctor' })

const aMinuteMs = 60_000

/** Compares another clock with this machine's at the middle of the request. */
export function compareClocks(whose: string, theirs: Date, askedAt: number, answeredAt = Date.now()): Finding {
  const apartMs = theirs.getTime() - (askedAt + answeredAt) / 2
  const seconds = Math.round(Math.abs(apartMs) / 1000)
  if (seconds * 1000 < aMinuteMs / 6) return ok(`The clock of ${whose} matches this machine’s`)
  const text = `The clock of ${whose} is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine’s. Use NTP on both`
  // Access tokens have a minute of tolerance.
  return seconds * 1000 < aMinuteMs ? warning(text) : failure(text)
}

/** Compares the clock of a web server by its response. */
export function compareClockOf(whose: string, { headers }: Response, askedAt: number): Finding[] {
  const date = headers.get('date')
  return date ? [compareClocks(whose, new Date(date), askedAt)] : []
}
