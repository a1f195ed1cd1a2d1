import { type ChildProcess, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { parse } from 'node:path'

/** Who PostgreSQL's programs run as; null for the user that Lectern runs as. */
export type OsUser = { uid: number; gid: number } | null

export type RunResult = { code: number | null; stdout: string; stderr: string }

/** True where PostgreSQL would refuse to run as ourselves. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * Nothing of our environment reaches PostgreSQL: it holds secrets, and variables such as PGDATA change what the programs
 * do. Messages stay in English, since some are recognised.
 */
function bareEnvironment(): Record<string, string> {
  const systemRoot = process.env.SystemRoot
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...(systemRoot && { SystemRoot: systemRoot }) }
}

/** What every program of PostgreSQL is started with. The folder we were started in may be closed to the account. */
export function spawnOptions(account: OsUser) {
  return { ...account, env: bareEnvironment(), cwd: parse(process.execPath).root }
}

/**
 * As root, the owner of the cluster where there is one, else `nobody`; null for everybody but root.
 * @param clusterDir may not exist yet.
 */
export async function findOsUser(clusterDir: string): Promise<OsUser> {
  if (!isRoot()) return null
  const cluster = await stat(clusterDir).catch(() => null)
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid }
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run(null, 'id', [flag, 'nobody'])))
  if (uid?.code !== 0 || gid?.code !== 0) {
    throw new Error(
      'PostgreSQL refuses to run as root and there is no account nobody to run it as. ' +
        'Start Lectern as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** Runs a program to its end. A program that cannot be started counts as code null with the reason as its stderr. */
export function run(account: OsUser, file: string, args: string[], input = ''): Promise<RunResult> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = spawn(file, args, { ...spawnOptions(account), stdio: 'pipe' })
    } catch (error) {
      resolve({ code: null, stdout: '', stderr: String(error) })
      return
    }
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    // A program that ends without reading its input is judged by its code.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.once('error', (error) => resolve({ code: null, stdout, stderr: error.message }))
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

/** Whether the account can really enter the folder and write in it, tried rather than computed from modes. */
export async function canUseFolder(account: OsUser, path: string): Promise<boolean> {
  if (!account) return true
  const result = await run(account, '/bin/sh', ['-c', 'test -x "$1" && test -r "$1" && test -w "$1"', 'sh', path])
  return result.code === 0
}
