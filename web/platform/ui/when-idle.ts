/**
 * Runs `task` in a quiet moment once the page has been there for a while: for parts that will be wanted soon and should
 * then be there, and that nothing on display waits for.
 * @returns takes the task back.
 */
export function whenIdle(task: () => void): () => void {
  let cancelIdle = () => {}
  const timer = setTimeout(() => {
    // Safari has had no idle callbacks for long.
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
