const firstPauseMs = 10_000
const longestPauseMs = 600_000
/** After so long without an error the next one is a new series. */
const overAfterMs = 120_000

type Series = { reportedAt: number; seenAt: number; pauseMs: number; times: number }

/**
 * Passes on the first of a series of equal errors at once, and then again after 10 s, 20 s and so on up to every 10
 * minutes, with how many there were: while PostgreSQL is away every worker fails at every poll.
 */
export function quietly(
  report: (error: Error, times: number) => void,
  now: () => number = () => performance.now(),
): (error: Error) => void {
  const seen = new Map<string, Series>()
  return (error) => {
    const key = getKind(error)
    const at = now()
    let series = seen.get(key)
    if (!series || at - series.seenAt > overAfterMs) {
      series = { reportedAt: Number.NEGATIVE_INFINITY, seenAt: at, pauseMs: firstPauseMs / 2, times: 0 }
      seen.set(key, series)
    }
    series.seenAt = at
    series.times += 1
    if (at - series.reportedAt < series.pauseMs) return
    report(error, series.times)
    series.reportedAt = at
    series.pauseMs = Math.min(series.pauseMs * 2, longestPauseMs)
    series.times = 0
  }
}

/** The error's code or else its text, without the worker that pg-boss names in it. */
function getKind(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message.replace(/ \(Queue: .*$/, '')
}
