/** Waits, unless the signal ends it. @throws the signal's reason */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  unlessAborted(signal, () => new Promise((resolve) => setTimeout(resolve, ms)))

/** The task goes on, but is no longer waited for. @throws the signal's reason */
export function unlessAborted<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([task(), aborted])
}
