import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from './tracing.ts'

/** What something is done for: a request or a run of a job, by the id that its log lines have. */
export type Work = {
  kind: 'request' | 'job'
  id: string
  span: Span
  /** Aborted when the client has closed the connection of a request. */
  signal?: AbortSignal
}

const works = new AsyncLocalStorage<Work>()

export const currentWork = (): Work | undefined => works.getStore()

/** What is begun by `run`, and comes of it, is done for this work. */
export const runFor = <T>(work: Work, run: () => T): T => works.run(work, run)
