import { afterAll, onTestFinished } from 'vitest'

/** Runs `end` after the current test, or after the last test of the file when called outside a test. */
export function onTestEnd(end: () => unknown): void {
  const hook = async () => void (await end())
  try {
    onTestFinished(hook)
  } catch {
    // `onTestFinished` throws outside a test.
    afterAll(hook)
  }
}
