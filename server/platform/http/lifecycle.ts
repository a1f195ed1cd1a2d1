/** Where a server is between its start and its end. */
export type Lifecycle = {
  phase: 'starting' | 'serving' | 'draining'
  /** Resolves when the server serves. */
  readonly started: Promise<void>
  serve(): void
}

export function createLifecycle(): Lifecycle {
  const { promise: started, resolve } = Promise.withResolvers<void>()
  return {
    phase: 'starting',
    started,
    serve() {
      this.phase = 'serving'
      resolve()
    },
  }
}
