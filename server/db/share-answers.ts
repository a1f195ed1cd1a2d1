import { within } from '../within.ts'

/** Behind a question that is not answered nobody waits longer: its connection may have died, and others live. */
const patienceMs = 1_000

/**
 * Asks one question at a time. Who comes while one is under way shares the next: what was asked before they came may
 * be answered with what is too old for them.
 */
export function shareAnswers<T>(ask: () => Promise<T>, limitMs = patienceMs): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null

  async function askNext(): Promise<T> {
    await within(
      limitMs,
      underWay.catch(() => {}),
    )
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

/** As `shareAnswers`, for questions that are the same when their keys are. */
export function shareAnswersByKey<T>(limitMs = patienceMs): (key: string, ask: () => Promise<T>) => Promise<T> {
  const questions = new Map<string, { ask: () => Promise<T>; waiting: number }>()

  return async (key, ask) => {
    const question = questions.get(key) ?? { ask: shareAnswers(ask, limitMs), waiting: 0 }
    questions.set(key, question)
    question.waiting += 1
    try {
      return await question.ask()
    } finally {
      question.waiting -= 1
      // While one is under way somebody waits for it.
      if (question.waiting === 0) questions.delete(key)
    }
  }
}
