import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import type { Mail } from '../mail/mailer.ts'
import { openDeps } from '../open-deps.ts'
import { createDatabase, templateName } from './database.ts'
import { quietLog } from './log.ts'

export type TestApp = {
  app: App
  deps: Deps
  databaseUrl: string
  /** What was mailed, oldest first. */
  mails: Mail[]
}

/**
 * The real server on a database and a folder of its own; only the delivery of mails is replaced. Call it at the top
 * of a test file; it is closed after the file's last test.
 */
export async function openTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const name = `lectern_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createDatabase(inject('postgresUrl'), name, templateName)
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern test '))
  const config = readConfig({ DATA_DIR: dataDir, RATE_LIMIT: 'off', DATABASE_POOL_SIZE: '5', ...env })

  const mails: Mail[] = []
  const deps = await openDeps(
    { ...config, publicUrl: config.publicUrl ?? 'http://localhost:3000' },
    { databaseUrl, secret: 'a secret of the tests, long enough', log: quietLog },
  )
  deps.mailer.send = async (mail) => void mails.push(mail)
  const app = await buildApp(deps, quietLog)
  await deps.jobs.start()
  deps.startup.done = true

  afterAll(async () => {
    await app.close()
    await deps.close()
    await rm(dataDir, { recursive: true })
  })
  return { app, deps, databaseUrl, mails }
}
