const pauseMs = 10_000

/**
 * Passes on the first of a series of equal errors at once and then at most one in 10 s, with how many there were:
 * while PostgreSQL is away every worker fails at every poll.
 */
export function quietly(report: (error: Error, times: number) => void): (error: Error) => void {
  const seen = new Map<string, { reportedAt: number; times: number }>()
  return (error) => {
    const key = getKind(error)
    const last = seen.get(key) ?? { reportedAt: Number.NEGATIVE_INFINITY, times: 0 }
    last.times += 1
    seen.set(key, last)
    if (performance.now() - last.reportedAt < pauseMs) return
    report(error, last.times)
    seen.set(key, { reportedAt: performance.now(), times: 0 })
  }
}

/** The error's code or else its text, without the worker that pg-boss names in it. */
function getKind(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message.replace(/ \(Queue: .*$/, '')
}
