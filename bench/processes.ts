import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../server/platform/embedded-postgres/free-port.ts'

export type Server = {
  origin: string
  pid: number
  /** Milliseconds from the start of the process to the first 200 from its ready address. */
  readyMs: number
  stop(): Promise<void>
}
type Program = { args: string[]; env: Record<string, string>; logFile: string; node?: string; cwd?: string }

export const root = fileURLToPath(new URL('../', import.meta.url))
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a server on a free port and waits until its ready address responds.
 * @throws when it does not within 2 minutes.
 */
export async function startProgram(program: Program, readyPath: string): Promise<Server> {
  const { args, env, logFile, node = process.execPath, cwd = root } = program
  const port = await findFreePort()
  const startedAt = performance.now()
  const log = createWriteStream(logFile, { flags: 'a' })
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME }
  const child = spawn(node, args, { cwd, env: { ...inherited, ...env, PORT: String(port) }, stdio: 'pipe' })
  running.add(child)
  for (const output of [child.stdout, child.stderr]) output.pipe(log, { end: false })
  const ended = new Promise((resolve) => child.once('close', resolve)).then(() => running.delete(child))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => (await fetch(origin + readyPath).catch(() => null))?.ok
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startedAt > 120_000) {
      await stop()
      throw new Error(`${args.join(' ')} did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
    }
    await delay(10)
  }
  return { origin, pid: child.pid ?? 0, readyMs: performance.now() - startedAt, stop }
}

/** Starts the built Lectern as `npm start` does. */
export function startLectern(env: Record<string, string>, logFile: string): Promise<Server> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const args = scripts.start.split(' ').slice(1)
  const always = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }
  return startProgram({ args, env: { ...always, ...env }, logFile }, '/readyz')
}

/** Sums over processes and their descendants; a process that has ended meanwhile counts as zero. */
function sumOverTrees(pids: number[], measure: (pid: number) => number): number {
  if (process.platform !== 'linux') return Number.NaN
  let sum = 0
  for (const pid of pids) {
    try {
      const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
      )
      sum += measure(pid) + sumOverTrees(children, measure)
    } catch {}
  }
  return sum
}

/** Returns memory in MB; memory that processes share counts once. */
export const memoryMB = (...pids: number[]) =>
  sumOverTrees(pids, (pid) => {
    const [, kB] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kB) / 1024
  })

/** Returns seconds of processor time. */
export const cpuSeconds = (...pids: number[]) =>
  sumOverTrees(pids, (pid) => {
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user, system] = fields.split(' ').slice(11)
    return (Number(user) + Number(system)) / 100
  })

/** @returns a function that stops the watch and returns the maximum memory of the processes. */
export function watchMemory(...pids: number[]): () => number {
  let mostMB = 0
  const watch = () => {
    mostMB = Math.max(mostMB, memoryMB(...pids))
  }
  const timer = setInterval(watch, 500)
  return () => {
    clearInterval(timer)
    watch()
    return mostMB
  }
}
