import { afterAll, expect, onTestFinished } from 'vitest'

/**
 * After the test that runs, or where none has run yet after the file's last one: Vitest calls no hook that a test sets up. For the
 * top of a file, `beforeEach` and tests.
 */
export function atEnd(end: () => unknown): void {
  const hook = async () => void (await end())
  if (expect.getState().currentTestName === undefined) afterAll(hook)
  else onTestFinished(hook)
}
