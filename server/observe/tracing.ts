/** Never what somebody typed, nor who they are. */
type Attributes = Record<string, string | number>

/** A piece of work that is over. */
type Piece = { name: string; ms: number; attributes: Attributes; hasFailed: boolean }

/** A request, or a run of a job, and the pieces of it as they end. */
export type Span = {
  record(piece: Piece): void
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
