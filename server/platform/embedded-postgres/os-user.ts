import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { promisify } from 'node:util'

/** The user that PostgreSQL's programs run as; null for the user that Lectern runs as. */
export type OsUser = { uid: number; gid: number } | null

type RunResult = { code: number | null; stdout: string; stderr: string }

/** True when PostgreSQL would refuse to run as the current user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * PostgreSQL gets nothing of Lectern's environment: it holds secrets, and variables such as PGDATA change the behaviour
 * of the programs. Messages stay in English because some are parsed.
 */
function bareEnvironment(): Record<string, string> {
  const systemRoot = process.env.SystemRoot
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...(systemRoot && { SystemRoot: systemRoot }) }
}

/** Options to start any program of PostgreSQL. The account may not be able to enter the current folder. */
export function spawnOptions(account: OsUser) {
  return { ...account, env: bareEnvironment(), cwd: parse(process.execPath).root }
}

/**
 * As root, returns the owner of an existing cluster, otherwise `nobody`; null for every user but root.
 * @param clusterDir may not exist yet.
 */
export async function findOsUser(clusterDir: string): Promise<OsUser> {
  if (!isRoot()) return null
  const cluster = await stat(clusterDir).catch(() => null)
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid }
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run(null, 'id', [flag, 'nobody'])))
  if (uid?.code !== 0 || gid?.code !== 0) {
    throw new Error(
      'PostgreSQL refuses to run as root, and this system has no account named nobody. ' +
        'Start Lectern as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Runs a program to its end. A program that cannot be started returns code null with the reason as its stderr. */
export async function run(account: OsUser, file: string, args: string[], input = ''): Promise<RunResult> {
  try {
    const running = promisify(execFile)(file, args, { ...spawnOptions(account), encoding: 'utf8' })
    // A program may end without reading its input; only its exit code counts.
    running.child.stdin?.on('error', () => {}).end(input)
    return { code: 0, ...(await running) }
  } catch (error) {
    const { code, message, stdout = '', stderr = '' } = error as Error & Partial<RunResult>
    return typeof code === 'number' ? { code, stdout, stderr } : { code: null, stdout, stderr: message }
  }
}

/** Whether the account can enter, read and write the folder, tested rather than computed from modes. */
export async function canUseFolder(account: OsUser, path: string): Promise<boolean> {
  if (!account) return true
  const result = await run(account, '/bin/sh', ['-c', 'test -x "$1" && test -r "$1" && test -w "$1"', 'sh', path])
  return result.code === 0
}
