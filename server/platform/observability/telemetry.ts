import { AsyncLocalStorage } from 'node:async_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** A kind of work: its counter, its duration histogram, and its name in a trace. */
type Kind = { counter: Counter; histogram?: Histogram; name: string; labels: Record<string, string> }

export type Telemetry = {
  metrics: Metrics
  tracing: Tracing
  /** @param outcomeOf returns the outcome of a run that resolves; the default is `ok`. */
  measure<T>(kind: Kind, run: () => Promise<T>, outcomeOf?: (result: T) => string): Promise<T>
}

export function createTelemetry(tracing: Tracing = noTracing): Telemetry {
  const metrics = createMetrics()
  return {
    metrics,
    tracing,
    async measure({ counter, histogram, name, labels }, run, outcomeOf = () => 'ok') {
      const startedAt = performance.now()
      const end = (outcome: string) => {
        const ms = performance.now() - startedAt
        const attributes = { ...labels, outcome }
        counter.inc(attributes)
        histogram?.observe(labels, ms / 1000)
        getCurrentContext()?.span.record({ name, ms, attributes, hasFailed: outcome === 'failed' })
      }
      try {
        const result = await run()
        end(outcomeOf(result))
        return result
      } catch (error) {
        end('failed')
        throw error
      }
    },
  }
}

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

/** In seconds. Most responses fit the first buckets, uploads the last. */
const buckets = [0.01, 0.05, 0.25, 1, 2.5, 10]

/**
 * Everything that is counted and measured as it happens or, as gauges, read on request. Labels are parts of Lectern
 * (routes, jobs by `name`, tasks), so that the code bounds their number: never an address, an id or anything about a
 * person or a note. Only metrics of alerts and the dashboard are kept: a histogram per route would be thousands of
 * lines.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `lectern_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name: `lectern_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: `lectern_${name}`, help, labelNames, buckets, registers })

  return {
    registry,
    requests: counter('http_requests_total', 'Answers by route.', ['method', 'route', 'status']),
    requestSeconds: histogram(
      'http_request_duration_seconds',
      'Answers until their last byte: read, write, file or page.',
      ['kind'],
    ),
    requestsUnderWay: gauge('http_requests_in_flight', 'Requests that are being answered.', []),
    statements: histogram('database_statement_duration_seconds', 'Statements of requests and jobs.', []),
    failedStatements: counter('database_failed_statements_total', 'Statements that PostgreSQL refused.', []),
    slowStatements: counter('database_slow_statements_total', 'Statements that took SLOW_QUERY_MS or longer.', []),
    connections: gauge('database_connections', 'Open connections of this process.', ['pool', 'state']),
    connectionsMax: gauge('database_connections_max', 'How many a pool may open.', ['pool']),
    connectionsAwaited: gauge('database_connections_waiting', 'Who waits for a connection of a pool.', ['pool']),
    listReads: counter('list_reads_total', 'Lists and searches, by where they were read, of servers with a replica.', [
      'from',
    ]),
    replicaBytesBehind: gauge('database_replica_behind_bytes', 'What the replica has not replayed yet.', []),
    databaseBytes: gauge('database_size_bytes', 'The database on the disk of PostgreSQL.', []),
    jobRuns: counter('job_runs_total', 'Job runs by outcome: `failed` is retried, `dead_letter` is not.', ['outcome']),
    deadLetterJobs: counter('jobs_dead_letter_total', 'Jobs that will not be tried again.', ['name']),
    jobsWaiting: gauge('jobs_waiting', 'Jobs that are due, of all processes.', ['name']),
    jobsWaitingSeconds: gauge('jobs_waiting_longest_seconds', 'How long the job that is due first has been.', ['name']),
    jobsRetrying: gauge('jobs_retrying', 'Jobs that have failed and wait for another run.', ['name']),
    pdfTasks: counter('pdf_tasks_total', 'What was done with documents, and what came of it.', ['task', 'outcome']),
    virusScans: counter('virus_scans_total', 'Uploads that clamd was sent, and what came of it.', ['outcome']),
    storageSeconds: histogram('storage_operation_duration_seconds', 'Requests to the storage.', ['operation']),
    storageCalls: counter('storage_operations_total', 'Requests to the storage, with their outcome.', [
      'operation',
      'outcome',
    ]),
    storedFiles: gauge('stored_documents', 'Files of notes.', []),
    storedBytes: gauge('stored_documents_bytes', 'Files of notes, all together.', []),
    diskFree: gauge('disk_free_bytes', 'What Lectern may still write where its folders are.', ['folder']),
    diskSize: gauge('disk_size_bytes', 'How large the disk is that a folder is on.', ['folder']),
    mails: counter('mails_total', 'Mails that a mail server was given, and what came of it.', ['outcome']),
    mailsWithheld: counter(
      'mails_suppressed_total',
      'Mails that were not sent, since their address refuses mails.',
      [],
    ),
    addressesRefused: counter('mail_addresses_suppressed_total', 'Suppressed addresses.', []),
    isReady: gauge('ready', 'Whether a part answers: 1, or 0.', ['part']),
    build: gauge('build_info', 'Which Lectern this is; always 1.', ['version', 'role']),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
