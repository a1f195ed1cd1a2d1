import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../../config.ts'
import type { Deps } from '../../dependencies.ts'
import { countPendingMigrations } from '../../platform/db/migrate.ts'
import { type Db, openPool } from '../../platform/db/pool.ts'
import { deriveSecret, getOrCreateSecret } from '../../platform/db/secret.ts'
import { version } from '../../platform/db/version.ts'
import {
  createDataDir,
  DataDirInUseError,
  type EmbeddedDatabase,
  findRunningDatabase,
  startEmbeddedDatabase,
} from '../../platform/embedded-postgres/embedded.ts'
import { PasswordRefusedError } from '../../platform/embedded-postgres/server.ts'
import type { Log } from '../../platform/observability/log.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { openSpool, type Spool } from '../../platform/storage/spool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { withStorageIdentity } from '../../platform/storage/storage-identity.ts'
import { openDeps } from '../start/open-dependencies.ts'

/** The database and files, opened without migrations. */
export type Store = { databaseUrl: string; db: Db; files: FileStorage; log: Log }
/** A store that files can be written to. */
export type WritableStore = Store & { spool: Spool; secret: string }

const connections = 2
const asTheServer = 'Use the server’s DATA_DIR or DATABASE_URL.'

/** A dangling link counts as existing. */
const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null

const noSecret = (dataDir: string) =>
  new Error(`No secret in DATA_DIR ${dataDir}. Use the server’s DATA_DIR or SECRET.`)

/** Whether a database is configured or exists; it may be empty or unavailable. */
export const hasDatabase = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  databaseUrl !== null || (await exists(join(dataDir, 'postgres')))

/**
 * Opens the database of an existing instance. A wrong DATA_DIR or DATABASE_URL must not create a new one.
 * @throws if there is no database, or one with another schema.
 * @returns the database, and how many migrations are missing.
 */
async function openExistingDatabase(
  config: Config,
  log: Log,
): Promise<{ database: EmbeddedDatabase; missing: number }> {
  if (!(await hasDatabase(config))) throw new Error(`No database in DATA_DIR ${config.dataDir}. ${asTheServer}`)
  const database = await openDatabase(config, log)
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000 })
  // An embedded database may be stopped before this client.
  client.on('error', () => {})
  try {
    await client.connect()
    const missing = await countPendingMigrations(client)
    if (missing === null)
      throw new Error(`The database is empty. Start Lectern once to create its tables. ${asTheServer}`)
    return { database, missing }
  } catch (error) {
    await database.stop()
    throw error
  } finally {
    await client.end()
  }
}

/** For commands that only read, with or without a running server. @throws if there is nothing to read. */
export async function openStore(config: Config, log: Log): Promise<{ store: Store; close(): Promise<void> }> {
  const { database } = await openExistingDatabase(config, log)
  try {
    await requireFiles(config)
    return await openOn(database, config, log, withStorageIdentity)
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** @throws if the folder of files does not exist, so that no new one is created. */
async function requireFiles({ s3, dataDir }: Config): Promise<void> {
  if (s3 || (await exists(join(dataDir, 'files')))) return
  throw new Error(`No files in DATA_DIR ${dataDir}. Use the server’s DATA_DIR or S3_BUCKET.`)
}

/** For commands that need exclusive access: refused while a server uses the folder. An empty folder is initialised. */
export async function openStoreAlone(
  config: Config,
  log: Log,
): Promise<{ store: WritableStore; close(): Promise<void> }> {
  const { databaseUrl } = config
  await createDataDir(config.dataDir)
  // The previous owner of the storage does not matter.
  const secret = await readOrMake(config)
  const database = databaseUrl ? ofOthers(databaseUrl) : await startOwn(config, log, secret, true)
  const { store, close } = await openOn(database, config, log, (files) => files)
  const spool = await openSpool(join(config.dataDir, 'spool'), log)
  return {
    store: { ...store, spool, secret },
    async close() {
      spool.close()
      await close()
    },
  }
}

const readOrMake = async ({ secret, dataDir }: Config) => secret ?? (await getOrCreateSecret(dataDir))

type Guard = (files: FileStorage, db: Db) => FileStorage

async function openOn(database: EmbeddedDatabase, config: Config, log: Log, guard: Guard) {
  const { db } = openPool(database.url, connections, log, { isPrepared: config.databasePrepared })
  const files = guard(await openStorage(config), db)
  return {
    store: { databaseUrl: database.url, db, files, log },
    async close() {
      await db.destroy()
      await database.stop()
    },
  }
}

const ofOthers = (url: string): EmbeddedDatabase => ({ url, stop: async () => {} })

const startOwn = ({ dataDir }: Config, log: Log, secret: string, resetsPassword: boolean): Promise<EmbeddedDatabase> =>
  startEmbeddedDatabase({ dataDir, password: deriveSecret(secret, 'postgres'), resetsPassword, log })

/**
 * Opens the configured database, the embedded one of a running server, or starts the embedded one. Another secret than
 * the server's is refused, and none is created.
 */
export async function openDatabase(config: Config, log: Log): Promise<EmbeddedDatabase> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return ofOthers(databaseUrl)
  if (!config.secret && !(await exists(join(dataDir, 'secret')))) throw noSecret(dataDir)
  const secret = await readOrMake(config)
  try {
    return await startOwn(config, log, secret, false)
  } catch (error) {
    if (error instanceof PasswordRefusedError) {
      throw new Error(
        'SECRET doesn’t match the server that last used DATA_DIR. Use the server’s SECRET, or start the server first if you changed it.',
        { cause: error },
      )
    }
    if (!(error instanceof DataDirInUseError)) throw error
    const url = await findRunningDatabase(dataDir, deriveSecret(secret, 'postgres'))
    if (!url) throw error
    return ofOthers(url)
  }
}

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
