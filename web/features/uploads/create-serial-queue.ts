/** Runs tasks one after another; a failed task does not stop the next. */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task)
    last = run.catch(() => {})
    return run
  }
}
