import { AsyncLocalStorage } from 'node:async_hooks'

/** Never what somebody typed, nor who they are. */
type Attributes = Record<string, string | number>

/** A piece of work that is over. */
type ChildSpan = { name: string; ms: number; attributes: Attributes; hasFailed: boolean }

/** A request, or a run of a job, and the pieces of it as they end. */
type Span = {
  record(piece: ChildSpan): void
  end(outcome: { name?: string; attributes: Attributes; hasFailed: boolean }): void
}

export type Tracing = {
  /** @param parent the `traceparent` of whoever passed it on, where they are to be believed. */
  begin(kind: 'request' | 'job', name: string, parent?: string): Span
  /** Sends what was not sent yet. Never rejects. */
  close(): Promise<void>
}

const noSpan: Span = { record() {}, end() {} }

export const noTracing: Tracing = { begin: () => noSpan, async close() {} }

/** What something is done for: a request or a run of a job, by the id that its log lines have. */
export type TelemetryContext = {
  kind: 'request' | 'job'
  id: string
  span: Span
  /** Aborted when the client has closed the connection of a request. */
  signal?: AbortSignal
}

const works = new AsyncLocalStorage<TelemetryContext>()

export const getCurrentContext = (): TelemetryContext | undefined => works.getStore()

/** What is begun by `run`, and comes of it, is done for this work. */
export const runInContext = <T>(work: TelemetryContext, run: () => T): T => works.run(work, run)
