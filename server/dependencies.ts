import type { Config } from './config.ts'
import type { PasswordHasher } from './features/auth/passwords/hasher.ts'
import type { Scanner } from './features/uploads/antivirus/scanner.ts'
import type { Db } from './platform/db/pool.ts'
import type { QueryRunner } from './platform/db/query-with-timeout.ts'
import type { Replica } from './platform/db/replica.ts'
import type { Lifecycle } from './platform/http/lifecycle.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import type { Jobs } from './platform/jobs/queue.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Outbox } from './platform/mail/outbox.ts'
import type { Log } from './platform/observability/log.ts'
import type { Telemetry } from './platform/observability/telemetry.ts'
import type { PdfTools } from './platform/pdf/pdf-tools.ts'
import type { DiskSpace } from './platform/storage/disk-space.ts'
import type { Spool } from './platform/storage/spool.ts'
import type { FileStorage } from './platform/storage/storage.ts'

/** Everything a slice works with. Built once in `open-deps.ts`; tests build the same. */
export type Deps = QueryRunner & {
  config: Config & { publicUrl: string }
  db: Db
  /** For what is told of it; what reads there goes by `read` and `readWithin`. */
  replica: Pick<Replica, 'countBytesBehind' | 'countConnections' | 'check'> | null
  files: FileStorage
  spool: Spool
  space: DiskSpace
  /** Who looks for viruses in uploads, where the operator wants it. */
  scanner: Scanner | null
  mailer: Mailer
  /** The mailer again, where mails stay on this machine and may be shown there. */
  outbox: Outbox | null
  jobs: Jobs
  rateLimits: RateLimits
  passwords: PasswordHasher
  pdf: PdfTools
  /** Processes of its own for recognising words on pages, which stand back behind everything else. */
  recogniser: Pick<PdfTools, 'takeSpareTurn' | 'close'>
  /** Never used as it is: each use has a key of its own, by `deriveSecret`. */
  secret: string
  log: Log
  /** What is seen from outside: metrics and traces. */
  observer: Telemetry
  /** Open connections to PostgreSQL, those at rest among them, and who waits for one. */
  countConnections(): { open: number; idle: number; awaited: number }
  lifecycle: Lifecycle
}
