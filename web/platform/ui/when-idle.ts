/**
 * Runs `task` when the browser is idle, after the page has been open for a while: for scripts that will be needed soon.
 * @returns a function that cancels the task.
 */
export function whenIdle(task: () => void): () => void {
  let cancelIdle = () => {}
  const timer = setTimeout(() => {
    // Older Safari versions have no `requestIdleCallback`.
    if (!('requestIdleCallback' in window)) return task()
    const handle = requestIdleCallback(task)
    cancelIdle = () => cancelIdleCallback(handle)
  }, settledAfterMs)
  return () => {
    clearTimeout(timer)
    cancelIdle()
  }
}

const settledAfterMs = 2_000
