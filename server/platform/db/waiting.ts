import { setTimeout as delay } from 'node:timers/promises'

/** Waits for work up to a limit. It resolves in both cases, and rejects only if the work rejects in time. */
export async function waitUpTo(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  using _timer = setTimeout(resolve, timeoutMs)
  await Promise.race([work, late])
}

/** @throws when the work takes longer than the limit; its later result is ignored. */
export const withTimeout = <T>(timeoutMs: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    delay(timeoutMs, undefined, { ref: false }).then(() => {
      throw new Error(`No answer within ${timeoutMs} ms`)
    }),
  ])

/** Rejects with the signal's reason. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
