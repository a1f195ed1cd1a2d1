/**
 * Asks at most one question at a time. Who comes while one is under way shares the next: what was asked before they came may
 * be answered with what is too old for them.
 */
export function shareAnswers<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null

  async function askNext(): Promise<T> {
    await underWay.catch(() => {})
    next = null
    const asked = ask()
    underWay = asked
    return asked
  }
  return () => {
    next ??= askNext()
    return next
  }
}
