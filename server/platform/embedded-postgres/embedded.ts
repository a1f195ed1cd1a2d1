import { mkdir, open, readFile, realpath, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode, type Log } from '../observability/log.ts'
import { findBinaries } from './binaries.ts'
import { openCluster, superuser } from './cluster.ts'
import { acquireLock, type Lock, LockHeldError } from './file-lock.ts'
import { findFreePort } from './free-port.ts'
import { findOsUser, isRoot } from './os-user.ts'
import {
  type Cluster,
  connectToCluster,
  launchServer,
  PasswordRefusedError,
  resetPassword,
  type Server,
  StartError,
  supervise,
} from './server.ts'

export type EmbeddedDatabase = {
  /** postgres:// URL of the database `lectern`; it stays valid while PostgreSQL is restarted. */
  url: string
  /**
   * Fast shutdown; waits until PostgreSQL has ended and DATA_DIR is unlocked.
   * @param timeoutMs the time limit; shortly before it PostgreSQL is ended without a checkpoint.
   */
  stop(timeoutMs?: number): Promise<void>
}

export type EmbeddedOptions = {
  /** DATA_DIR; the database files live in `<dataDir>/postgres`. */
  dataDir: string
  /** The password of the superuser. */
  password: string
  /** Whether a cluster with another password gets this one; if false, it is refused (`PasswordRefusedError`). */
  resetsPassword?: boolean
  log: Log
  /** Called when initdb or PostgreSQL was started, so that this process can do other work meanwhile. */
  onSpawn?: () => void
  /** Maximum number of connections; all pools of all processes must fit. */
  maxConnections?: number
  /** False only for data that may be lost when the machine fails. */
  fsync?: boolean
}

export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError'
  constructor(dataDir: string, pid: number | null) {
    const who = pid === null ? '' : ` (process ${pid})`
    super(`DATA_DIR ${dataDir} is in use by another Lectern${who}. Stop it first, or set DATA_DIR to another folder.`)
  }
}

const databaseName = 'lectern'
// The remains of a killed PostgreSQL may take moments to disappear.
const startPatienceMs = 15_000
const stopLimitMs = 20_000
/** How long PostgreSQL takes to end without a checkpoint. */
const endAtOnceMs = 1_000

/**
 * Creates DATA_DIR if missing. If root creates it, other users may enter but not list it, because PostgreSQL runs as
 * another account.
 */
export async function createDataDir(dataDir: string): Promise<void> {
  await makeFolders(dataDir, isRoot() ? 0o711 : 0o700)
}

/** Like a recursive `mkdir`, which retries forever below /proc. */
async function makeFolders(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (hasCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return
    if (!hasCode(error, 'ENOENT') || (await stat(dirname(path)).catch(() => null))) throw error
    await makeFolders(dirname(path), mode)
    await mkdir(path, { mode })
  }
}

/**
 * Starts the PostgreSQL of DATA_DIR, creates its files on the first start, and restarts it on the same port when it
 * dies. Only one process at a time may use a DATA_DIR; PostgreSQL processes left by a killed one are ended first. See
 * docs/decisions/0001-embedded-postgresql.md.
 * @throws DataDirInUseError, or an Error whose message is for the operator.
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, password, resetsPassword = true, onSpawn = () => {}, fsync = true, maxConnections = 60 } = options
  if (/[\r\n\0]/.test(password)) throw new Error('The database password may not contain line breaks.')
  await createDataDir(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const locks: Lock[] = [await lock(join(dataDir, 'lectern.lock'), options.dataDir)]
  let stopServer: ReturnType<typeof supervise> | undefined
  let stopKeeping = () => {}
  const stop = async (timeoutMs = stopLimitMs) => {
    stopKeeping()
    await stopServer?.(Math.max(0, timeoutMs - endAtOnceMs))
    for (const held of locks.splice(0).reverse()) await held.release()
  }
  try {
    const account = await findOsUser(join(dataDir, 'postgres'))
    const binaries = await findBinaries(account, log)
    const dir = await openCluster({ dataDir, binaries, account, password, fsync, log, onSpawn })
    // Two folders may refer to one cluster, for example when DATA_DIR was copied with its link.
    if (dir !== join(dataDir, 'postgres')) locks.push(await lock(`${dir}.lock`, options.dataDir))
    if (fsync) stopKeeping = await keepReserve(dirname(dir), log)
    const cluster: Cluster = { dir, account, binaries, password, maxConnections, fsync, log }
    const { server, port } = await launch(cluster, resetsPassword, onSpawn)
    stopServer = supervise(cluster, server, port)
    await createDatabase(cluster, port)
    return { url: urlOf(port, password), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Returns the URL of the PostgreSQL that another process on this machine runs for a DATA_DIR; null when there is none.
 */
export async function findRunningDatabase(dataDir: string, password: string): Promise<string | null> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const port = Number(lines.split('\n')[3])
  return Number.isInteger(port) && port > 0 ? urlOf(port, password) : null
}

const urlOf = (port: number, password: string) =>
  `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`

async function lock(path: string, dataDir: string): Promise<Lock> {
  try {
    return await acquireLock(path)
  } catch (error) {
    throw error instanceof LockHeldError ? new DataDirInUseError(dataDir, error.pid) : error
  }
}

async function launch(
  cluster: Cluster,
  resetsPassword: boolean,
  onSpawn: () => void,
): Promise<{ server: Server; port: number }> {
  const deadline = Date.now() + startPatienceMs
  for (let mayResetPassword = resetsPassword; ; ) {
    const port = await findFreePort()
    try {
      return { server: await launchServer(cluster, port, onSpawn), port }
    } catch (error) {
      if (error instanceof PasswordRefusedError && mayResetPassword) {
        mayResetPassword = false
        cluster.log.info('Resetting the password of the database, because SECRET has changed.')
        await resetPassword(cluster)
      } else if (error instanceof StartError && isTransientStartError(error.lines) && Date.now() < deadline) {
        await delay(200)
      } else throw error
    }
  }
}

function isTransientStartError(lines: string[]): boolean {
  return /Address already in use|is still in use|lock file ".*" already exists/.test(lines.join('\n'))
}

async function createDatabase(cluster: Cluster, port: number): Promise<void> {
  await using client = await connectToCluster(cluster, port)
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName])
  if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`)
}

const megabyte = 2 ** 20
const reserveBytes = 64 * megabyte
/** PostgreSQL writes its log in files of 16 MB, and ends when it cannot write the next. */
const criticalBytes = 32 * megabyte
const checkEveryMs = 1_000

/**
 * Keeps a file beside the database and deletes it when the volume is almost full, so that PostgreSQL can start again
 * and users can delete notes. It is created again when the volume has several times its size free.
 * @returns a function that stops checking.
 */
async function keepReserve(folder: string, log: Log): Promise<() => void> {
  const path = join(folder, 'reserve')

  async function check(): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
    if (bytes > 0 && freeBytes < criticalBytes) {
      await rm(path)
      log.error(
        `No space left on the disk of ${folder}. Deleted ${path} so that PostgreSQL can run. Free up space now.`,
      )
    } else if (bytes < reserveBytes && freeBytes > 8 * reserveBytes) await fill(path)
  }

  const report = (error: unknown) => log.warn({ err: error }, `Couldn’t create the reserve ${path}`)
  await check().catch(report)
  // On a slow disk a check lasts longer than the interval.
  let isChecking = false
  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    await check().catch(report)
    isChecking = false
  }, checkEveryMs).unref()
  return () => clearInterval(timer)
}

/** Writes all bytes instead of setting the size, because file systems allocate blocks only for written bytes. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  const chunk = Buffer.alloc(megabyte, 0xa5)
  for (let bytes = 0; bytes < reserveBytes; bytes += megabyte) await file.write(chunk)
}
