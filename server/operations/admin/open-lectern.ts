import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Deps } from '../../dependencies.ts'
import { getOrCreateSecret } from '../../platform/db/secret.ts'
import { version } from '../../platform/db/version.ts'
import { createDataDir } from '../../platform/embedded-postgres/embedded.ts'
import type { Log } from '../../platform/observability/log.ts'
import { openDeps } from '../start/open-dependencies.ts'
import { exists, noSecret, openExistingDatabase, requireFiles } from './open-store.ts'

/**
 * Opens Lectern's dependencies without listening and without running jobs, which servers do; a server may run at the
 * same time. A caller that enqueues jobs starts the queue first.
 * @throws if no server of this version has prepared the database: nothing may be migrated under a running older one.
 */
export async function openLectern(config: Config, log: Log): Promise<{ deps: Deps; close(): Promise<void> }> {
  const { dataDir } = config
  if (config.databaseUrl && !config.secret && !(await exists(join(dataDir, 'secret')))) {
    throw noSecret(dataDir)
  }
  const { database, missing } = await openExistingDatabase(config, log)
  try {
    if (missing > 0) {
      throw new Error(`${missing} migrations are pending. Stop older servers and start Lectern ${version} once.`)
    }
    await requireFiles(config)
    await createDataDir(dataDir)
    const secret = config.secret ?? (await getOrCreateSecret(dataDir))
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
