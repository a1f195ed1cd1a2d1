import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Deps } from '../../dependencies.ts'
import { connect } from '../../platform/db/client.ts'
import { countPendingMigrations } from '../../platform/db/migrate.ts'
import { type Db, openPool } from '../../platform/db/pool.ts'
import { deriveSecret, getOrCreateSecret } from '../../platform/db/secret.ts'
import { version } from '../../platform/db/version.ts'
import {
  createDataDir,
  DataDirInUseError,
  findRunningDatabase,
  startEmbeddedDatabase,
} from '../../platform/embedded-postgres/embedded.ts'
import { PasswordRefusedError } from '../../platform/embedded-postgres/server.ts'
import type { Log } from '../../platform/observability/log.ts'
import { openStorage, withStorageIdentity } from '../../platform/storage/open-storage.ts'
import { openSpool, type Spool } from '../../platform/storage/spool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { openDeps } from '../start/open-dependencies.ts'
import { countOf } from './command-line.ts'

/** The database and files, opened without migrations. */
export type Store = { databaseUrl: string; db: Db; files: FileStorage; log: Log }
/** A store that files can be written to. */
export type WritableStore = Store & { spool: Spool; secret: string }

const connections = 2
const asTheServer = 'Use the server’s DATA_DIR or DATABASE_URL.'

/** A dangling link counts as existing. */
const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null

/** @throws if the secret is neither configured nor in DATA_DIR, so that no new one is created. */
async function requireSecret({ secret, dataDir }: Config): Promise<void> {
  if (secret || (await exists(join(dataDir, 'secret')))) return
  throw new Error(`No secret in DATA_DIR ${dataDir}. Use the server’s DATA_DIR or SECRET.`)
}

/** @throws if the folder of files does not exist, so that no new one is created. */
async function requireFiles({ s3, dataDir }: Config): Promise<void> {
  if (s3 || (await exists(join(dataDir, 'files')))) return
  throw new Error(`No files in DATA_DIR ${dataDir}. Use the server’s DATA_DIR or S3_BUCKET.`)
}

/** Whether a database is configured or exists; it may be empty or unavailable. */
export const hasDatabase = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  databaseUrl !== null || (await exists(join(dataDir, 'postgres')))

/**
 * Opens the database of an existing instance. A wrong DATA_DIR or DATABASE_URL must not create a new one.
 * @throws if there is no database, or one with another schema.
 * @returns its URL, and how many migrations are missing.
 */
async function openExistingDatabase(config: Config, log: Log, opened: AsyncDisposableStack) {
  if (!(await hasDatabase(config))) throw new Error(`No database in DATA_DIR ${config.dataDir}. ${asTheServer}`)
  const url = await openDatabase(config, log, opened)
  await using client = await connect({ connectionString: url, connectionTimeoutMillis: 10_000 })
  const missing = await countPendingMigrations(client)
  if (missing === null)
    throw new Error(`The database is empty. Start Lectern once to create its tables. ${asTheServer}`)
  return { url, missing }
}

/**
 * For commands that only read, with or without a running server.
 * @param opened gets everything to close after the command, also if this throws.
 * @throws if there is nothing to read.
 */
export async function openStore(config: Config, log: Log, opened: AsyncDisposableStack): Promise<Store> {
  const { url } = await openExistingDatabase(config, log, opened)
  await requireFiles(config)
  const store = await openOn(url, config, log, opened)
  return { ...store, files: withStorageIdentity(store.files, store.db) }
}

/** For commands that need exclusive access: refused while a server uses the folder. An empty folder is initialised. */
export async function openStoreAlone(config: Config, log: Log, opened: AsyncDisposableStack): Promise<WritableStore> {
  await createDataDir(config.dataDir)
  // The previous owner of the storage does not matter.
  const secret = await getSecret(config)
  const url = config.databaseUrl ?? (await startOwn(config, log, secret, true, opened))
  const store = await openOn(url, config, log, opened)
  const spool = await openSpool(join(config.dataDir, 'spool'), log)
  opened.defer(spool.close)
  return { ...store, spool, secret }
}

const getSecret = async ({ secret, dataDir }: Config) => secret ?? (await getOrCreateSecret(dataDir))

async function openOn(databaseUrl: string, config: Config, log: Log, opened: AsyncDisposableStack): Promise<Store> {
  const { db } = openPool(databaseUrl, connections, log, { isPrepared: config.databasePrepared })
  opened.defer(() => db.destroy())
  return { databaseUrl, db, files: await openStorage(config), log }
}

async function startOwn(
  { dataDir }: Config,
  log: Log,
  secret: string,
  resetsPassword: boolean,
  opened: AsyncDisposableStack,
): Promise<string> {
  const password = deriveSecret(secret, 'postgres')
  const database = await startEmbeddedDatabase({ dataDir, password, resetsPassword, log })
  opened.defer(() => database.stop())
  return database.url
}

/**
 * Opens the configured database, the embedded one of a running server, or starts the embedded one. Another secret than
 * the server's is refused, and none is created.
 * @returns the URL of the database.
 */
export async function openDatabase(config: Config, log: Log, opened: AsyncDisposableStack): Promise<string> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return databaseUrl
  await requireSecret(config)
  const secret = await getSecret(config)
  try {
    return await startOwn(config, log, secret, false, opened)
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
    return url
  }
}

/**
 * Opens Lectern's dependencies without listening and without running jobs, which servers do; a server may run at the
 * same time. A caller that enqueues jobs starts the queue first.
 * @throws if no server of this version has prepared the database: nothing may be migrated under a running older one.
 */
export async function openLectern(config: Config, log: Log, opened: AsyncDisposableStack): Promise<Deps> {
  if (config.databaseUrl) await requireSecret(config)
  const { url: databaseUrl, missing } = await openExistingDatabase(config, log, opened)
  if (missing > 0) {
    const pending = `${countOf(missing, 'migration')} ${missing === 1 ? 'is' : 'are'} pending`
    throw new Error(`${pending}. Stop older servers and start Lectern ${version} once.`)
  }
  await requireFiles(config)
  await createDataDir(config.dataDir)
  const secret = await getSecret(config)
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const deps = await openDeps({ ...config, role: 'web', publicUrl }, { databaseUrl, secret, log })
  opened.defer(deps.close)
  return deps
}
