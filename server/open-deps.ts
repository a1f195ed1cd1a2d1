import { join } from 'node:path'
import { accountMail, sendAccountMail } from './accounts/mails.ts'
import type { Config } from './config.ts'
import { openPool } from './db/pool.ts'
import type { Deps } from './deps.ts'
import { openDiskStorage } from './files/disk.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { createJobs } from './jobs/queue.ts'
import type { Log } from './log.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createSmtpMailer } from './mail/smtp.ts'
import { createPasswordHasher } from './passwords/hasher.ts'
import { createPdfTools } from './pdf/pdf-tools.ts'
import { registerSweep } from './sweep.ts'

export type OpenDeps = Deps & { close(): Promise<void> }

/** Opens every part on a migrated database. The job queue is not started yet: `deps.jobs.start()`. */
export async function openDeps(
  config: Config & { publicUrl: string },
  { databaseUrl, secret, log }: { databaseUrl: string; secret: string; log: Log },
): Promise<OpenDeps> {
  const { pool, db } = openPool(databaseUrl, config.databasePoolSize, log)
  const { smtpUrl, mailFrom: from, dataDir } = config
  const mail = smtpUrl
    ? { mailer: createSmtpMailer({ url: smtpUrl, from, log }), outbox: null }
    : withOutbox(createOutbox({ dir: join(dataDir, 'outbox'), from, log }))

  const deps: Deps = {
    config,
    db,
    files: await openDiskStorage(join(dataDir, 'files')),
    ...mail,
    jobs: createJobs({ databaseUrl, log }),
    rateLimits: createRateLimits(pool, config.rateLimit),
    passwords: await createPasswordHasher(),
    pdf: createPdfTools({ log, maxFileBytes: config.maxFileMb * 2 ** 20 }),
    secret,
    log,
    startup: { done: false },
  }
  deps.jobs.work(accountMail, (payload, context) => sendAccountMail(deps, payload, context))
  registerSweep(deps)

  return {
    ...deps,
    async close() {
      await deps.jobs.stop()
      await Promise.all([deps.mailer.close(), deps.pdf.close()])
      await db.destroy()
    },
  }
}

const withOutbox = (outbox: Outbox) => ({ mailer: outbox, outbox })
