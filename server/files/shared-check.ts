/** One check at a time: whoever asks meanwhile is told what comes of it. */
export function sharedCheck(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}
