import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../server/free-port.ts'

export type Server = {
  origin: string
  pid: number
  /** Milliseconds from the start of the process to the first 200 of its ready address. */
  readyMs: number
  stop(): Promise<void>
}

type Program = {
  args: string[]
  env: Record<string, string>
  logFile: string
  node?: string
  cwd?: string
}

export const root = fileURLToPath(new URL('../', import.meta.url))
const readyTimeoutMs = 120_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function start({ args, env, logFile, node = process.execPath, cwd = root }: Program) {
  const child = spawn(node, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      running.delete(child)
      log.end(resolve)
    }),
  )
  return { child, ended }
}

const failure = ({ args, logFile }: Program) =>
  new Error(`${args.join(' ')} failed: ${readFileSync(logFile, 'utf8').slice(-2000)}`)

/** Runs a program to its end. @throws when it fails. */
export async function run(program: Program): Promise<void> {
  const { child, ended } = start(program)
  await ended
  if (child.exitCode !== 0) throw failure(program)
}

/** Starts a server on a free port and waits until its ready address answers. @throws when it does not. */
export async function startProgram(program: Program, readyPath: string): Promise<Server> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const { child, ended } = start({ ...program, env: { ...program.env, PORT: String(port) } })
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(timer)
  }
  const isReady = () =>
    fetch(origin + readyPath).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await isReady())) {
    const isLate = performance.now() - startedAt > readyTimeoutMs
    if (child.exitCode === null && child.signalCode === null && !isLate) {
      await delay(10)
      continue
    }
    await stop()
    throw failure(program)
  }
  return { origin, pid: child.pid ?? 0, readyMs: performance.now() - startedAt, stop }
}

/** Lectern as `npm start` runs it, of the code that was built. */
export function startLectern(env: Record<string, string>, logFile: string): Promise<Server> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const args = scripts.start.split(' ').slice(1)
  const always = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }
  return startProgram({ args, env: { ...always, ...env }, logFile }, '/readyz')
}

/** A process and all that it started. Empty when it has ended. */
function treeOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(/\s+/).filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => treeOf(Number(child)))]
  } catch {
    return []
  }
}

function sumOf(pids: number[], measure: (pid: number) => number): number {
  if (process.platform !== 'linux') return Number.NaN
  const measured = [...new Set(pids.flatMap(treeOf))].map((pid) => {
    try {
      return measure(pid)
    } catch {
      // A process that has ended meanwhile holds nothing.
      return 0
    }
  })
  return measured.reduce((sum, value) => sum + value, 0)
}

/** Memory of processes and all that they started; what several of them share counts once. */
export const memoryMB = (...pids: number[]) =>
  sumOf(pids, (pid) => {
    const [, kB] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kB) / 1024
  })

/** Seconds of processors that processes and all that they started have taken. */
export const cpuSeconds = (...pids: number[]) =>
  sumOf(pids, (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  })

/** Remembers the most memory that processes had since. */
export function watchMemory(...pids: number[]): { stop(): number } {
  let most = memoryMB(...pids)
  const timer = setInterval(() => {
    most = Math.max(most, memoryMB(...pids))
  }, 500)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}
