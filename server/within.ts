/** Waits for work, but no longer than a limit: it resolves either way, and rejects where the work does in time. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
