/** Waits until the signal aborts at the latest. @throws the signal's reason */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  unlessAborted(signal, () => new Promise((resolve) => setTimeout(resolve, ms)))

/** Stops waiting for the task on abort; the task itself continues. @throws the signal's reason */
export function unlessAborted<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([task(), aborted])
}
