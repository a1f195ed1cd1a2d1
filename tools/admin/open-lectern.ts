import type { Config } from '../../server/config.ts'
import { migrate } from '../../server/db/migrate.ts'
import type { Deps } from '../../server/deps.ts'
import type { Log } from '../../server/log.ts'
import { openDeps } from '../../server/open-deps.ts'
import { createDataDir } from '../../server/postgres/embedded.ts'
import { readOrMakeSecret } from '../../server/secret.ts'
import { openDatabase } from './open-store.ts'

/**
 * The parts of Lectern, without addresses and without doing jobs, which are left to the servers: beside one that runs, or
 * alone. Who adds a job starts the queue first.
 */
export async function openLectern(config: Config, log: Log): Promise<{ deps: Deps; close(): Promise<void> }> {
  await createDataDir(config.dataDir)
  const secret = config.secret ?? (await readOrMakeSecret(config.dataDir))
  const database = await openDatabase(config, log)
  try {
    await migrate(database.url, log)
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
    const deps = await openDeps({ ...config, role: 'web', publicUrl }, { databaseUrl: database.url, secret, log })
    const close = async () => {
      await deps.close()
      await database.stop()
    }
    return { deps, close }
  } catch (error) {
    await database.stop()
    throw error
  }
}
