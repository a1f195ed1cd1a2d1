import { randomUUID } from 'node:crypto'
import {
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '../observability/log.ts'
import { syncFolder } from '../storage/disk.ts'
import type { Binaries } from './binaries.ts'
import { canUseFolder, isRoot, type OsUser, run } from './os-user.ts'

export const superuser = 'lectern'
/** Where clusters are kept when the account that runs PostgreSQL cannot enter their DATA_DIR. */
const awayRoot = '/var/lib/lectern'
/**
 * Name prefix of a cluster that is being created; one that exists at a start was interrupted. The rest of the name is
 * random, because an initdb that outlives a killed Lectern must not write into the next one's folder.
 */
const stagingPrefix = 'postgres.init-'

type ClusterOptions = {
  /** Real path of DATA_DIR, locked by the caller. */
  dataDir: string
  binaries: Binaries
  account: OsUser
  password: string
  fsync: boolean
  log: Log
  onSpawn: () => void
}

/** Returns the real path of DATA_DIR's cluster, which is created if there is none. */
export async function openCluster(options: ClusterOptions): Promise<string> {
  const path = join(options.dataDir, 'postgres')
  for (const name of await readdir(options.dataDir)) {
    if (name.startsWith(stagingPrefix)) await removeStaging(join(options.dataDir, name))
  }
  if (await lstat(path).catch(() => null)) {
    const real = await realpath(path).catch(() => null)
    if (!real) throw new Error(`${path} is a link to ${await readlink(path)}, which doesn’t exist.`)
    if ((await readdir(real).catch(() => ['unreadable'])).length > 0) {
      await checkCluster(path, real, options.binaries)
      return real
    }
    // A rename cannot replace an empty folder by a link.
    if (real === path) await rmdir(path)
  }
  const staging = join(options.dataDir, `${stagingPrefix}${randomUUID()}`)
  await createCluster(staging, options)
  await rename(staging, path)
  await syncFolder(options.dataDir)
  return await realpath(path)
}

async function checkCluster(path: string, real: string, binaries: Binaries): Promise<void> {
  const { uid } = await stat(real)
  const name = real === path ? path : `${path} (${real})`
  if (isRoot() && uid === 0)
    throw new Error(`The database files in ${name} belong to root, but PostgreSQL refuses to run as root.`)
  if (process.getuid && !isRoot() && uid !== process.getuid()) {
    throw new Error(
      `The database files in ${name} belong to another user (id ${uid}). ` +
        'Start Lectern as the user it was first started as, or set DATA_DIR to another folder.',
    )
  }
  const version = await readFile(join(real, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version === null) {
    throw new Error(`No PostgreSQL database in ${name}: PG_VERSION is missing. Restore it or move it away.`)
  }
  if (Number.parseInt(version, 10) !== binaries.major) {
    throw new Error(
      `The database files in ${name} were created by PostgreSQL ${version.trim()}; this Lectern includes PostgreSQL ` +
        `${binaries.major}. Use the Lectern that created them, and move the data with pg_dump.`,
    )
  }
}

/** Creates a complete cluster at `staging`, which is the folder itself or a link to a reachable one. */
async function createCluster(staging: string, options: ClusterOptions): Promise<void> {
  const { account, binaries, log } = options
  const home = await createHome(staging, account)
  if (home !== staging) {
    log.info(
      `The database files are in ${home}, because PostgreSQL runs unprivileged and cannot enter ${dirname(staging)}. ` +
        'A link in that folder points to them.',
    )
  }
  const passwordFile = `${home}.password`
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  try {
    const problems: string[] = []
    // Trigrams classify letters by lc_ctype: under C, accented letters would be skipped. macOS has no C.UTF-8.
    for (const ctype of ['C.UTF-8', 'en_US.UTF-8']) {
      const running = run(account, binaries.initdb, initdbArguments(home, passwordFile, ctype, options.fsync))
      options.onSpawn()
      const result = await running
      if (result.code === 0) return
      problems.push(result.stderr.trim() || `initdb ended with code ${result.code}`)
      if (!result.stderr.includes('invalid locale name')) break
    }
    throw new Error(`Couldn’t create the database in ${home}:\n${problems.join('\n')}`)
  } catch (error) {
    await removeStaging(staging)
    throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function initdbArguments(home: string, passwordFile: string, ctype: string, fsync: boolean): string[] {
  return [
    `--pgdata=${home}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
    '--data-checksums',
    '--no-instructions',
    ...(fsync ? [] : ['--no-sync']),
  ]
}

async function createHome(staging: string, account: OsUser): Promise<string> {
  await mkdir(staging, { mode: 0o700 })
  if (!account || (await chownFolder(staging, account))) return staging
  await rm(staging, { recursive: true })

  const home = join(awayRoot, randomUUID())
  // The link is created first, so that the remains of an interrupted start can be found and removed.
  await symlink(home, staging)
  await mkdir(awayRoot, { recursive: true, mode: 0o711 })
  await mkdir(home, { mode: 0o700 })
  if (await chownFolder(home, account)) return home
  await removeStaging(staging)
  throw new Error(
    `PostgreSQL refuses to run as root, and user ${account.uid} can enter neither ${dirname(staging)} nor ${awayRoot}. ` +
      'Set DATA_DIR to a folder that other users can enter, or start Lectern as an ordinary user.',
  )
}

/** Whether the account owns the folder and can use it; not every file system has owners. */
async function chownFolder(path: string, account: NonNullable<OsUser>): Promise<boolean> {
  await chown(path, account.uid, account.gid).catch(() => {})
  return (await stat(path)).uid === account.uid && (await canUseFolder(account, path))
}

/** Removes the remains of an interrupted creation, whose initdb may still run for a moment. */
async function removeStaging(staging: string): Promise<void> {
  const target = await readlink(staging).catch(() => null)
  for (const path of [staging, target]) {
    if (path === null || (path === target && dirname(path) !== awayRoot)) continue
    await rm(path, { recursive: true, force: true, maxRetries: 10 })
    await rm(`${path}.password`, { force: true })
  }
}
