import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { connect } from '../db/client.ts'
import { roleSettings } from '../db/set-local.ts'
import { hasCode, type Log } from '../observability/log.ts'
import type { Binaries } from './binaries.ts'
import { superuser } from './cluster.ts'
import { type OsUser, run, spawnOptions } from './os-user.ts'

/** A cluster and the settings to run it with. */
export type Cluster = {
  dir: string
  account: OsUser
  binaries: Binaries
  password: string
  maxConnections: number
  fsync: boolean
  log: Log
}

/** A running PostgreSQL. */
export type Server = {
  readonly readyAt: number
  /** Resolves when the postmaster has ended, with a description of how it ended. Never rejects. */
  readonly ended: Promise<string>
  /** Requests a fast shutdown, which rolls back open transactions; `ended` resolves when it is done. */
  shutDown(): void
  /** Shuts down without a checkpoint; the next start recovers from the log. */
  shutDownNow(): void
}

/** PostgreSQL ended instead of becoming ready; carries its last log lines. */
export class StartError extends Error {
  readonly lines: string[]
  constructor(cluster: Cluster, how: string, lines: string[]) {
    const output = lines.length > 0 ? ` Its output:\n${lines.join('\n')}` : ''
    super(`Couldn’t start PostgreSQL on the database files in ${cluster.dir} (${how}).${output}`)
    this.lines = lines
  }
}

/** The cluster has another password than the one derived from the instance's secret. */
export class PasswordRefusedError extends Error {}

export const connectToCluster = ({ password }: Cluster, port: number): Promise<pg.Client & AsyncDisposable> =>
  connect({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    application_name: 'lectern start',
  })

/**
 * Ends the remaining processes of the cluster, starts PostgreSQL and waits until it accepts connections, however long
 * recovery takes. `onSpawn` gets the server before that, so that the caller can stop it.
 * @throws StartError, PasswordRefusedError
 */
export async function launchServer(cluster: Cluster, port: number, onSpawn: (server: Server) => void): Promise<Server> {
  await stopStaleProcesses(cluster)
  const { server, pid, isAlive, lastLines } = spawnServer(cluster, port)
  onSpawn(server)
  while (isAlive()) {
    try {
      if ((await isPostmasterReady(cluster, pid)) && (await connectOnce(cluster, port)) && isAlive())
        return { ...server, readyAt: Date.now() }
    } catch (error) {
      if (!(error instanceof PasswordRefusedError)) throw error
      server.shutDown()
      await server.ended
      throw error
    }
    await delay(20)
  }
  throw new StartError(cluster, await server.ended, await lastLines())
}

function spawnServer(cluster: Cluster, port: number) {
  const { account, binaries, dir } = cluster
  const child = spawn(binaries.postgres, ['-D', dir, ...settings(cluster, port)], {
    ...spawnOptions(account),
    // In its own session, Ctrl-C in the terminal reaches only Lectern, which then stops PostgreSQL last.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let alive = true
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      alive = false
      resolve(how)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(signal ? `ended by ${signal}` : `exit code ${code}`))
  })
  const lastLines = forwardLines(child, cluster.log)
  const signal = (name: NodeJS.Signals, mode: string) => {
    if (process.platform !== 'win32') child.kill(name)
    else void run(account, binaries.pgCtl, ['stop', '-D', dir, '-m', mode, '-W'])
  }
  const server: Server = {
    readyAt: Number.POSITIVE_INFINITY,
    ended,
    shutDown: () => signal('SIGINT', 'fast'),
    shutDownNow: () => signal('SIGQUIT', 'immediate'),
  }
  // PostgreSQL also ends when Lectern exits without stopping it, unless Lectern is killed.
  process.on('exit', server.shutDown)
  void ended.then(() => process.off('exit', server.shutDown))
  return { server, pid: child.pid, isAlive: () => alive, lastLines }
}

/** In bytes. A container may have less than its machine, and reports 0 or more than the total when it has no limit. */
const memory = () => Math.min(totalmem(), process.constrainedMemory() || totalmem())

/**
 * PostgreSQL's default, or an eighth of the memory up to 1 GB: other pages of its files are in the system's cache, and
 * Lectern shares the machine. The memory is allocated as it is used.
 */
const sharedBuffersMb = Math.min(1_024, Math.max(128, Math.floor(memory() / 8 / 2 ** 20)))

function settings(cluster: Cluster, port: number): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: cluster.maxConnections,
    shared_buffers: `${sharedBuffersMb}MB`,
    max_wal_size: '256MB',
    synchronous_commit: 'on',
    fsync: cluster.fsync ? 'on' : 'off',
    full_page_writes: cluster.fsync ? 'on' : 'off',
    ...roleSettings,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    // Statements contain personal data.
    log_min_error_statement: 'panic',
    log_line_prefix: logLinePrefix,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** PostgreSQL's `log_line_prefix` for `readServerLine`: backend type, SQLSTATE. */
const logLinePrefix = '%b|%e|'

type ServerLine = {
  text: string
  /** Null for lines without a backend type, such as those printed before the settings are read. */
  backend: string | null
  /** The level to forward the line with; null for lines to drop, such as failed queries, which their callers report. */
  level: 'warn' | 'error' | null
}

// Sent to clients while PostgreSQL stops, recovers or starts (57P01 to 57P03), or after a wrong password.
const toldToTheClient = /^(57P0[123]|28P01)$/
const crash = /terminated by signal|terminating any other active server processes/

export function readServerLine(line: string): ServerLine {
  const match = /^([^|]*)\|([^|]*)\|(.*)$/s.exec(line)
  const [backend, state, text] = match ? [match[1] || null, match[2] ?? '', match[3] ?? ''] : [null, '', line]
  return { text, backend, level: levelOf(text, backend, state) }
}

function levelOf(text: string, backend: string | null, state: string): ServerLine['level'] {
  if (toldToTheClient.test(state)) return null
  const severity = /^(?:postgres: )?(?:.*?\b)?(WARNING|ERROR|FATAL|PANIC|LOG):/.exec(text)?.[1]
  if (severity === 'PANIC') return 'error'
  if (backend === 'client backend') return severity === 'FATAL' ? 'warn' : null
  if (severity === 'FATAL' || severity === 'ERROR') return 'error'
  if (severity === 'WARNING') return 'warn'
  return severity === 'LOG' && crash.test(text) ? 'warn' : null
}

/** Forwards relevant lines; the returned function gives the last lines that belong to no client's query. */
function forwardLines(child: ChildProcess, log: Log): () => Promise<string[]> {
  const kept: string[] = []
  if (!child.stderr) return async () => kept
  const lines = createInterface({ input: child.stderr })
  const closed = new Promise<void>((resolve) => lines.once('close', resolve))
  lines.on('line', (text) => {
    const line = readServerLine(text)
    if (line.level) log[line.level](`PostgreSQL: ${line.text}`)
    if (line.backend === 'client backend') return
    kept.push(line.text)
    if (kept.length > 20) kept.shift()
  })
  return async () => {
    await Promise.race([closed, delay(500)])
    return kept
  }
}

/**
 * Checked before the first connection: until then the port may belong to another program, which must not get the
 * password.
 */
async function isPostmasterReady(cluster: Cluster, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(cluster.dir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** Whether a connection was made. Other failures than a wrong password are temporary or end PostgreSQL. */
async function connectOnce(cluster: Cluster, port: number): Promise<boolean> {
  try {
    await using _client = await connectToCluster(cluster, port)
    return true
  } catch (error) {
    if (hasCode(error, '28P01')) throw new PasswordRefusedError(error.message)
    return false
  }
}

/** Sets the superuser's password on a cluster that is not running, in single-user mode. */
export async function resetPassword(cluster: Cluster): Promise<void> {
  const { account, binaries, dir, fsync, password } = cluster
  const quiet = ['-c', 'log_min_error_statement=panic', '-c', `fsync=${fsync ? 'on' : 'off'}`]
  const statement = `ALTER ROLE ${superuser} PASSWORD '${password.replaceAll("'", "''")}'\n`
  const result = await run(account, binaries.postgres, ['--single', '-D', dir, ...quiet, 'postgres'], statement)
  if (result.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(result.stderr)) {
    throw new Error(`Couldn’t set the password of the database in ${dir}: ${result.stderr.trim()}`)
  }
}

/** An end within this time after becoming ready counts as a failed start. */
const stableMs = 1_000
const firstPauseMs = 100
const longestPauseMs = 10_000

/**
 * Restarts PostgreSQL on the same port whenever it ends unexpectedly: immediately, then with growing pauses while
 * starts fail. It never gives up, because the cause (such as a full disk) may be temporary.
 * @returns a function that stops it, without a checkpoint when a fast shutdown takes longer than `timeoutMs`.
 */
export function supervise(cluster: Cluster, first: Server, port: number): (timeoutMs: number) => Promise<void> {
  const { log } = cluster
  const stopping = new AbortController()
  let current = first
  let stopped: Promise<void> | undefined

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const how = await current.ended
      if (stopping.signal.aborted) return
      const lostAt = Date.now()
      failures = lostAt - current.readyAt < stableMs ? failures + 1 : 0
      log.error(`PostgreSQL exited unexpectedly (${how}). Restarting it.`)
      await restart(failures, lostAt)
    }
  }

  async function restart(failures: number, lostAt: number): Promise<void> {
    for (let count = failures; !stopping.signal.aborted; count++) {
      if (count > 0) await pause(Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs))
      if (stopping.signal.aborted) return
      try {
        current = await launchServer(cluster, port, onSpawn)
        log.warn(`PostgreSQL is running again after ${Date.now() - lostAt} ms.`)
        return
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error({ err: error }, 'Couldn’t restart PostgreSQL. Retrying.')
      }
    }
  }

  function onSpawn(server: Server): void {
    current = server
    if (stopping.signal.aborted) server.shutDown()
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopping.signal }).catch(() => {})
  }

  const running = keepRunning()

  async function stop(timeoutMs: number): Promise<void> {
    stopping.abort()
    current.shutDown()
    const impatient = setTimeout(() => current.shutDownNow(), timeoutMs)
    await running
    clearTimeout(impatient)
  }

  return (timeoutMs) => {
    stopped ??= stop(timeoutMs)
    return stopped
  }
}

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
async function stopStaleProcesses({ dir: clusterDir, account, binaries, log }: Cluster): Promise<void> {
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
