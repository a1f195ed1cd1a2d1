import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode, type Log } from '../observability/log.ts'
import type { Binaries } from './binaries.ts'
import { type OsUser, run } from './os-user.ts'

// Fast shutdown, then shutdown without a checkpoint, then SIGKILL: the write-ahead log makes each of them safe.
const steps = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const
// Without their postmaster the other processes end by themselves, unless one is busy.
const orphanPatienceMs = 500

/**
 * Ends every PostgreSQL process that still uses the cluster. The caller holds the lock of DATA_DIR, so these processes
 * remain from a killed Lectern or a killed postmaster.
 */
export async function stopStaleProcesses(clusterDir: string, account: OsUser, binaries: Binaries, log: Log) {
  const postmaster = await readPostmasterPid(clusterDir)
  if (process.platform === 'win32') {
    // Windows does not show the folder of a process, so PostgreSQL's own tool has to find it.
    if (postmaster) await run(account, binaries.pgCtl, ['stop', '-D', clusterDir, '-m', 'fast', '-w'])
    return
  }
  const left = await findProcesses(clusterDir, account)
  if (postmaster !== null && left.includes(postmaster)) {
    log.warn(`Stopping a PostgreSQL that a killed Lectern left running (process ${postmaster}).`)
    for (const { signal, timeoutMs } of steps) {
      signalProcess(postmaster, signal)
      if (await waitUntilGone([postmaster], timeoutMs)) break
    }
  }
  const orphans = await findProcesses(clusterDir, account)
  if (orphans.length > 0 && !(await waitUntilGone(orphans, orphanPatienceMs))) {
    for (const pid of orphans) signalProcess(pid, 'SIGKILL')
    await waitUntilGone(orphans, 5_000)
  }
  // PostgreSQL would take any process of its user that got the same process id in the meantime for a running server.
  if (postmaster !== null && (await isRunning(postmaster)))
    await rm(join(clusterDir, 'postmaster.pid'), { force: true })
}

async function readPostmasterPid(clusterDir: string): Promise<number | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : null
}

/**
 * The cluster is the working folder of PostgreSQL's processes, which identifies them reliably on Linux, even if the
 * folder was moved; elsewhere the postmaster is identified by its arguments. The check runs as the account, because in
 * a container even root may not inspect other users' processes.
 */
async function findProcesses(clusterDir: string, account: OsUser): Promise<number[]> {
  if (process.platform === 'linux') {
    // `-ef` compares the folders themselves, so links and moves do not matter.
    const script = `cd /proc && for pid in [0-9]*; do
      [ "$pid/cwd" -ef "$1" ] && case "$(readlink "$pid/exe")" in */postgres*) echo "$pid";; esac
    done`
    const { stdout } = await run(account, '/bin/sh', ['-c', script, 'sh', clusterDir])
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  const { stdout } = await run(account, 'ps', ['-axo', 'pid=,command='])
  const lines = stdout.split('\n').filter((line) => line.includes('postgres') && line.includes(`-D ${clusterDir} `))
  return lines.map((line) => Number.parseInt(line, 10))
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false
    throw error
  }
}

/** A zombie counts as ended. It may remain forever in a container whose process 1 does not reap it. */
async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return signalProcess(pid, 0)
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  const state = status.slice(status.lastIndexOf(')') + 2)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

async function waitUntilGone(pids: number[], timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const running = await Promise.all(pids.map(isRunning))
    if (!running.includes(true)) return true
    if (Date.now() > deadline) return false
    await delay(20)
  }
}
