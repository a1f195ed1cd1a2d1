/** The phase of a server process. */
export type Lifecycle = {
  phase: 'starting' | 'serving' | 'draining'
  /** Resolves when the phase becomes `serving`. */
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
