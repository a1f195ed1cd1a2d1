/** Of a check: what was found and, where something is wrong, what to do. */
export type Finding = { kind: 'good' | 'doubtful' | 'bad'; text: string }

export const good = (text: string): Finding => ({ kind: 'good', text })
/** Works, and is hardly meant so. */
export const doubtful = (text: string): Finding => ({ kind: 'doubtful', text })
export const bad = (text: string): Finding => ({ kind: 'bad', text })

/** As a sentence: what others say of an error ends with a full stop, or not. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const aMinuteMs = 60_000

/** Compares another's clock with this machine's, as it was in the middle of asking. */
export function compareClocks(whose: string, theirs: Date, askedAt: number, answeredAt: number): Finding {
  const apartMs = theirs.getTime() - (askedAt + answeredAt) / 2
  const seconds = Math.round(Math.abs(apartMs) / 1000)
  if (seconds * 1000 < aMinuteMs / 6) return good(`The clock of ${whose} is this machine’s`)
  const text = `The clock of ${whose} is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} this machine’s: set both by NTP`
  // Access tokens have a minute of tolerance.
  return seconds * 1000 < aMinuteMs ? doubtful(text) : bad(text)
}
