import { expect, inject, test } from 'vitest'
import { readConfig } from './config.ts'
import { startServer } from './start.ts'
import { makeDataFolder, removeDataFolder } from './test/data-folder.ts'
import { createDatabase, templateName } from './test/database.ts'
import { startDatabaseProxy } from './test/database-proxy.ts'

test('a database that is lost while the job queue starts is waited for', { timeout: 120_000 }, async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'), 'lectern_lost_at_start', templateName)
  // The migrations get through, and the queue only when it tries again.
  const proxy = await startDatabaseProxy(databaseUrl, { refuse: 3, applicationName: 'lectern-jobs' })
  const dataDir = await makeDataFolder()
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' })
  const server = await startServer(config)
  expect(proxy.countRefused()).toBe(3)
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
  await server.stop()
  await proxy.close()
  await removeDataFolder(dataDir)
})
