import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config, S3Config } from '../../config.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { describeError, type Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import { openDiskStorage } from './disk.ts'
import { type FileStorage, StorageUnavailableError, singleFlight } from './storage.ts'

/** Opens the storage that is configured. The S3 client is loaded only when it is needed. */
export async function openStorage({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<FileStorage> {
  if (!s3) return openDiskStorage(join(dataDir, 'files'))
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(s3)
}

/**
 * Wraps a storage and measures its operations. A read is measured until its first byte, because the reader may be slow.
 */
export function observeStorage(storage: FileStorage, { measure, metrics }: Telemetry): FileStorage {
  const observed = <T>(operation: string, run: () => Promise<T>, outcomeOf?: (result: T) => string) => {
    const { storageCalls: counter, storageSeconds: histogram } = metrics
    const kind = { counter, histogram, name: `storage ${operation}`, labels: { operation } }
    return measure(kind, run, outcomeOf)
  }
  const exists = (found: unknown) => (found === null || found === false ? 'missing' : 'ok')
  for (const operation of ['put', 'get', 'size', 'delete', 'check']) {
    for (const outcome of ['ok', 'failed']) metrics.storageCalls.inc({ operation, outcome }, 0)
  }
  return {
    ...storage,
    put: (key, file) => observed('put', () => storage.put(key, file)),
    get: (key, range) => observed('get', () => storage.get(key, range), exists),
    downloadTo: (key, path) => observed('get', () => storage.downloadTo(key, path), exists),
    getSize: (key) => observed('size', () => storage.getSize(key), exists),
    delete: (key) => observed('delete', () => storage.delete(key)),
    check: () => observed('check', () => storage.check()),
  }
}

/** Returns the origin of presigned URLs. */
export function getFilesOrigin({ publicEndpoint, bucket, forcePathStyle }: S3Config): string {
  const url = new URL(publicEndpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  return url.origin
}

/**
 * Wraps a storage and rejects every call while the storage does not belong to this database. Otherwise a server with
 * the wrong folder or bucket, or an unmounted disk, would lose files and find none. Database and storage hold the same
 * marker. It is compared before each operation until it matches, and by every `check`; no restart is needed then.
 */
export function withStorageIdentity(storage: FileStorage, db: Db): FileStorage {
  let isOwn = false

  const compare = singleFlight(async () => {
    const databaseMarker = (await findMarker(db)) ?? (await claim(db, storage))
    const theirs = await storage.readMarker()
    isOwn = theirs === databaseMarker
    if (!isOwn)
      throw wrongStorageError(
        theirs === null ? 'The storage has no marker.' : 'The storage has another database’s marker.',
      )
  })

  const whenOwn =
    <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (!isOwn) await compare()
      return call(...given)
    }

  return {
    ...storage,
    put: whenOwn(storage.put),
    get: whenOwn(storage.get),
    downloadTo: whenOwn(storage.downloadTo),
    getSize: whenOwn(storage.getSize),
    async *list() {
      if (!isOwn) await compare()
      yield* storage.list()
    },
    delete: whenOwn(storage.delete),
    createDownloadUrl: whenOwn(storage.createDownloadUrl),
    async check() {
      await storage.check()
      await compare()
    },
  }
}

/**
 * Call this at the start of a server, so that a new database has its storage before either holds data.
 * @throws when a setting has to change. While the storage is unavailable, the server is not ready
 */
export async function checkStorageAtStart(files: FileStorage, log: Log): Promise<void> {
  await files.check().catch((error) => {
    if (error instanceof StorageUnavailableError && error.isMisconfigured) throw error
    log.warn(`Can’t use the file storage: ${describeError(error)}`)
  })
}

const wrongStorageError = (how: string) =>
  new StorageUnavailableError(
    `DATA_DIR or S3_BUCKET doesn’t contain the files of this database. ${how} Restore the setting, or mount the missing disk. If the files really are here, run: lectern admin storage adopt`,
  )

async function findMarker(db: Db): Promise<string | null> {
  const row = await db.selectFrom('storage_identity').select('marker').executeTakeFirst()
  return row?.marker ?? null
}

/**
 * Assigns a storage to a database without a marker: a new one, one from before there were markers, or a restored one.
 * @throws StorageUnavailableError when the database has files and none of them are in the storage.
 */
function claim(db: Db, storage: FileStorage): Promise<string> {
  return inTransaction(db, async (tx) => {
    // Other servers that do this for the first time wait, and find the marker.
    await sql`LOCK TABLE storage_identity IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
    const found = await findMarker(tx)
    if (found) return found
    if (!(await holdsSome(tx, storage))) throw wrongStorageError('The storage has none of the files.')
    return writeMarker(tx, storage)
  })
}

/** Assigns a storage to a database, whichever storage it had before. */
export function adoptStorage(db: Db, storage: FileStorage): Promise<string> {
  return inTransaction(db, async (tx) => {
    await sql`LOCK TABLE storage_identity IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
    await tx.deleteFrom('storage_identity').execute()
    return writeMarker(tx, storage)
  })
}

/** Writes to the storage first: after a crash in between, the next attempt finds the marker there. */
async function writeMarker(tx: Db, storage: FileStorage): Promise<string> {
  const marker = (await storage.readMarker()) ?? randomUUID()
  await storage.writeMarker(marker)
  await tx.insertInto('storage_identity').values({ marker }).execute()
  return marker
}

const sampleSize = 20

/** Returns whether any sampled file is in the storage, or the database has no files. */
async function holdsSome(tx: Db, storage: FileStorage): Promise<boolean> {
  const sample = await tx.selectFrom('documents').select('file_key').limit(sql.lit(sampleSize)).execute()
  for (const { file_key } of sample) if ((await storage.getSize(file_key)) !== null) return true
  return sample.length === 0
}
