import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes never contain input of a user or identify one. */
type Attributes = Record<string, string | number>

/** A finished part of a request or job. */
type ChildSpan = { name: string; ms: number; attributes: Attributes; hasFailed: boolean }

/** A request or a run of a job; its parts are recorded as they end. */
type Span = {
  record(piece: ChildSpan): void
  end(outcome: { name?: string; attributes: Attributes; hasFailed: boolean }): void
}

export type Tracing = {
  /** @param parent the `traceparent` header, from a trusted proxy only. */
  begin(kind: 'request' | 'job', name: string, parent?: string): Span
  /** Sends the remaining spans. Never rejects. */
  close(): Promise<void>
}

const noSpan: Span = { record() {}, end() {} }

export const noTracing: Tracing = { begin: () => noSpan, async close() {} }

/** The request or job run that code runs for, by the id in its log lines. */
export type TelemetryContext = {
  kind: 'request' | 'job'
  id: string
  span: Span
  /** Aborted when the client closes the connection of a request. */
  signal?: AbortSignal
}

const works = new AsyncLocalStorage<TelemetryContext>()

export const getCurrentContext = (): TelemetryContext | undefined => works.getStore()

/** Runs `run`, and everything it starts, in the context of this work. */
export const runInContext = <T>(work: TelemetryContext, run: () => T): T => works.run(work, run)
