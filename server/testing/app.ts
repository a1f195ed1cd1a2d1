import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../dependencies.ts'
import type { PasswordCost } from '../features/auth/passwords/hasher.ts'
import { openDeps } from '../operations/start/open-dependencies.ts'
import type { App } from '../platform/http/endpoints.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { checkStorageAtStart } from '../platform/storage/storage-identity.ts'
import { onTestEnd } from './after-test.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { createDatabase, databaseEnv, filesEnv, templateName } from './database.ts'
import { quietLog } from './log.ts'

type TestLog = typeof quietLog

type TestAppOptions = {
  /** For tests about passwords; the default is `cheapCost`. */
  passwordCost?: PasswordCost
}

/** The minimum that argon2id accepts. */
const cheapCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export type TestApp = {
  app: App
  deps: Deps
  databaseUrl: string
  /** The sent mails, oldest first. */
  mails: Mail[]
  /** Environment variables for another server with the same files. */
  whereFilesAre: Record<string, string>
}

/**
 * Opens the real server with its own database and folder. Only mail delivery is replaced, unless `SMTP_URL` is
 * given. It closes after the test that opens it, or after the file's last test.
 */
export async function openTestApp(
  env: Record<string, string> = {},
  log: TestLog = quietLog,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const name = `lectern_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createDatabase(inject('postgresUrl'), name, templateName)
  return openTestAppOn({ databaseUrl, mails: [], whereFilesAre: await filesEnv() }, env, log, options)
}

/** Opens another server on the database of a test app. Both add their mails to the same list. */
export async function openTestAppOn(
  { databaseUrl, mails, whereFilesAre = {} }: Pick<TestApp, 'databaseUrl' | 'mails'> & Partial<TestApp>,
  env: Record<string, string> = {},
  log: TestLog = quietLog,
  { passwordCost = cheapCost }: TestAppOptions = {},
): Promise<TestApp> {
  const [dataDir, pooler] = [await makeDataFolder(), databaseEnv(databaseUrl)]
  const config = readConfig({
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    OCR: 'off',
    DATABASE_POOL_SIZE: '5',
    ...pooler,
    ...whereFilesAre,
    ...env,
  })

  const deps = await openDeps(
    { ...config, publicUrl: config.publicUrl ?? 'http://localhost:3000' },
    // The long wait lets a slow machine answer a thousand simultaneous requests.
    {
      databaseUrl: pooler.DATABASE_URL ?? databaseUrl,
      secret: 'a secret of the tests, long enough',
      log,
      waitMs: 100_000,
      passwordCost,
      // Tests run the jobs that they need with `drainJobs`.
      runWorkers: false,
    },
  )
  if (!config.smtpUrl) deps.mailer.send = async (mail) => void mails.push(mail)
  const app = await buildApp(deps, log)
  await deps.jobs.start()
  await checkStorageAtStart(deps.files, log)
  deps.lifecycle.serve()

  onTestEnd(async () => {
    await app.close()
    await deps.close()
    await removeDataFolder(dataDir)
  })
  return { app, deps, databaseUrl, mails, whereFilesAre: { DATA_DIR: dataDir, ...whereFilesAre } }
}
