import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { describeError, type Log } from '../observability/log.ts'
import type { FileStorage } from './storage.ts'
import { StorageUnavailableError } from './storage-unavailable.ts'

/**
 * A storage that does nothing while it is not the one of this database: a server with another folder or bucket, or one
 * whose disk is not mounted, would lose files and find none. Database and storage hold the same marker. It is compared
 * before anything is done, and again by every `check`; once they agree, all goes on by itself.
 */
export function withStorageIdentity(storage: FileStorage, db: Db): FileStorage {
  let isOwn = false
  let looking: Promise<void> | null = null

  async function compare(): Promise<void> {
    const ours = (await findMarker(db)) ?? (await claim(db, storage))
    const theirs = await storage.readMarker()
    isOwn = theirs === ours
    if (!isOwn) throw wrongStorageError(theirs === null ? 'This one has no marker.' : 'This one has another’s marker.')
  }

  function ensureOwn(): Promise<void> | undefined {
    if (isOwn) return undefined
    looking ??= compare().finally(() => {
      looking = null
    })
    return looking
  }

  return {
    async put(key, file) {
      await ensureOwn()
      await storage.put(key, file)
    },
    async get(key, range) {
      await ensureOwn()
      return storage.get(key, range)
    },
    async copyTo(key, path) {
      await ensureOwn()
      return storage.copyTo(key, path)
    },
    async sizeOf(key) {
      await ensureOwn()
      return storage.sizeOf(key)
    },
    async *list() {
      await ensureOwn()
      yield* storage.list()
    },
    async delete(key) {
      await ensureOwn()
      await storage.delete(key)
    },
    async addressOf(key, headers) {
      await ensureOwn()
      return storage.addressOf(key, headers)
    },
    readMarker: storage.readMarker,
    writeMarker: storage.writeMarker,
    async check() {
      await storage.check()
      await compare()
    },
  }
}

/**
 * At the start of a server, so that a new database has its storage before there is anything in either.
 * @throws what has to be set otherwise; what is away may come back, and until then it is not ready
 */
export async function checkStorageAtStart(files: FileStorage, log: Log): Promise<void> {
  await files.check().catch((error) => {
    if (error instanceof StorageUnavailableError && error.isSetting) throw error
    log.warn(`The storage cannot be used: ${describeError(error)}`)
  })
}

const wrongStorageError = (how: string) =>
  new StorageUnavailableError(
    `DATA_DIR or S3_BUCKET does not lead to the files of this database. ${how} Set it as it was, or mount what is missing; lectern admin files adopt takes this storage for the one from now on.`,
  )

async function findMarker(db: Db): Promise<string | null> {
  const row = await db.selectFrom('file_storage').select('marker').executeTakeFirst()
  return row?.marker ?? null
}

/**
 * The first look at the storage of a database: a new one, one from before there were markers, or one that was restored.
 * @throws StorageAway where the database has files and none of them are here.
 */
function claim(db: Db, storage: FileStorage): Promise<string> {
  return inTransaction(db, async (tx) => {
    // Others that look for the first time wait, and find what was written.
    await sql`LOCK TABLE file_storage IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
    const found = await findMarker(tx)
    if (found) return found
    if (!(await holdsSome(tx, storage))) throw wrongStorageError('None of the files are here.')
    return writeMarker(tx, storage)
  })
}

/** Takes a storage for the one of a database, whatever was said of it before. */
export function adoptStorage(db: Db, storage: FileStorage): Promise<string> {
  return inTransaction(db, async (tx) => {
    await sql`LOCK TABLE file_storage IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
    await tx.deleteFrom('file_storage').execute()
    return writeMarker(tx, storage)
  })
}

/** The storage first: what dies in between is found there by the next. */
async function writeMarker(tx: Db, storage: FileStorage): Promise<string> {
  const marker = (await storage.readMarker()) ?? randomUUID()
  await storage.writeMarker(marker)
  await tx.insertInto('file_storage').values({ marker }).execute()
  return marker
}

const sampleSize = 20

/** Whether some of a few files are there, or there are none to be. */
async function holdsSome(tx: Db, storage: FileStorage): Promise<boolean> {
  const sample = await tx.selectFrom('documents').select('file_key').limit(sql.lit(sampleSize)).execute()
  for (const { file_key } of sample) if ((await storage.sizeOf(file_key)) !== null) return true
  return sample.length === 0
}
