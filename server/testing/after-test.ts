import { afterAll, onTestFinished } from 'vitest'

/** Runs `end` after the current test, or after the file's last test where none is running: at the top of a file. */
export function onTestEnd(end: () => unknown): void {
  const hook = async () => void (await end())
  try {
    onTestFinished(hook)
  } catch {
    // Vitest throws outside a test.
    afterAll(hook)
  }
}
