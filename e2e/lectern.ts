import { type Db, openPool } from '../server/platform/db/pool.ts'
import { getOrCreateSecret } from '../server/platform/db/secret.ts'
import { quietLog } from '../server/testing/log.ts'
import { findInstance, type Instance, startServerProcess } from '../server/testing/server-process.ts'

/** A running server with its database, into which journeys insert their initial data by the server's own code. */
export type Lectern = Instance & { db: Db; secret: string }

/** Runs `use` on the server that all journeys share. */
export function useSharedLectern(use: (lectern: Lectern) => Promise<void>): Promise<void> {
  const { LECTERN_URL = '', LECTERN_DATA_DIR = '' } = process.env
  return useDatabase(findInstance(LECTERN_URL, LECTERN_DATA_DIR), use)
}

/** Runs `use` on a new server, which stops afterwards. */
export async function useOwnLectern(
  env: Record<string, string>,
  use: (lectern: Lectern) => Promise<void>,
): Promise<void> {
  const server = await startServerProcess(undefined, { env })
  await useDatabase({ ...server, url: env.PUBLIC_URL ?? server.url }, use)
  await server.stop()
}

async function useDatabase(instance: Instance, use: (lectern: Lectern) => Promise<void>): Promise<void> {
  const secret = await getOrCreateSecret(instance.dataDir)
  const { db } = openPool(process.env.DATABASE_URL ?? (await instance.databaseUrl()), 2, quietLog)
  await use({ ...instance, db, secret })
  await db.destroy()
}

/** Starts the server that all journeys share, except those that need their own. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const { url, dataDir, stop } = await startServerProcess()
  Object.assign(process.env, { LECTERN_URL: url, LECTERN_DATA_DIR: dataDir })
  return stop
}
