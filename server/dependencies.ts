import type { Config } from './config.ts'
import type { PasswordHasher } from './features/auth/passwords/hasher.ts'
import type { Scanner } from './features/uploads/antivirus/scanner.ts'
import type { Db } from './platform/db/pool.ts'
import type { QueryRunner } from './platform/db/query-with-timeout.ts'
import type { Replica } from './platform/db/replica.ts'
import type { Lifecycle } from './platform/http/health.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import type { Jobs } from './platform/jobs/queue.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Outbox } from './platform/mail/outbox.ts'
import type { Log } from './platform/observability/log.ts'
import type { Telemetry } from './platform/observability/telemetry.ts'
import type { PdfTools } from './platform/pdf/pdf-tools.ts'
import type { DiskSpace, Spool } from './platform/storage/spool.ts'
import type { FileStorage } from './platform/storage/storage.ts'

/** The dependencies of all features, built once in `open-dependencies.ts`; tests build the same. */
export type Deps = QueryRunner & {
  config: Config & { publicUrl: string }
  db: Db
  /** For metrics and checks only; reads go through `read` and `queryWithTimeout`. */
  replica: Pick<Replica, 'countBytesBehind' | 'countConnections' | 'check'> | null
  files: FileStorage
  spool: Spool
  space: DiskSpace
  /** Scans uploads for viruses; null if the operator has not set it up. */
  scanner: Scanner | null
  mailer: Mailer
  /** The mailer again if mails stay on this machine and may be shown there; otherwise null. */
  outbox: Outbox | null
  jobs: Jobs
  rateLimits: RateLimits
  passwords: PasswordHasher
  pdf: PdfTools
  /** Separate processes for recognising words on pages, which run after all other work. */
  ocr: Pick<PdfTools, 'runInBackground' | 'close'>
  /** Never used directly: `deriveSecret` makes a separate key for each use. */
  secret: string
  log: Log
  /** Metrics and traces. */
  telemetry: Telemetry
  /** Counts the open connections to PostgreSQL, including idle ones, and the queries that wait for one. */
  countConnections(): { open: number; idle: number; waiting: number }
  lifecycle: Lifecycle
}
