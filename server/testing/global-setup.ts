import type { TestProject } from 'vitest/node'
import { jobs } from '../operations/start/open-dependencies.ts'
import { migrate } from '../platform/db/migrate.ts'
import { startEmbeddedDatabase } from '../platform/embedded-postgres/embedded.ts'
import { createJobs } from '../platform/jobs/queue.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'
import { createDatabase, templateName } from './database.ts'
import { findFastFolder } from './fast-folder.ts'
import { quietLog } from './log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server, on which tests create their databases with `createDatabase`. */
    postgresUrl: string
  }
}

/** Enough for several servers in each of the parallel test files; a server keeps some twenty connections. */
const maxConnections = 400

/**
 * Starts one PostgreSQL for all tests, with a migrated template that each test file copies. TEST_DATABASE_URL selects
 * another server, on which the template and some test databases remain.
 */
// biome-ignore lint/style/noDefaultExport: Vitest calls the default export
export default async function setUp({ provide }: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  const dataDir = await makeDataFolder(await findFastFolder())
  const embedded = given
    ? null
    : await startEmbeddedDatabase({ dataDir, password: 'test', log: quietLog, fsync: false, maxConnections })
  const postgresUrl = embedded?.url ?? given ?? ''
  const templateUrl = await createDatabase(postgresUrl, templateName)
  await migrate(templateUrl, quietLog)
  const queue = createJobs({ databaseUrl: templateUrl, log: quietLog, runWorkers: false })
  for (const { job } of jobs) queue.work(job, async () => {})
  await queue.start()
  await queue.stop()
  provide('postgresUrl', postgresUrl)
  return async () => {
    await embedded?.stop()
    await removeDataFolder(dataDir)
  }
}
