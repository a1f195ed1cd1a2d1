import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../server/free-port.ts'

export type ChildServer = {
  origin: string
  /** Milliseconds from starting the process to the first 200 of its ready address. */
  readyMs: number
  /** Resident memory in bytes; NaN where the system does not tell. */
  readMemory(): number
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../', import.meta.url))
const readyTimeoutMs = 90_000
const stopTimeoutMs = 20_000
const running = new Set<{ child: ChildProcess; stop(): Promise<void> }>()
process.on('exit', () => {
  for (const { child } of running) child.kill('SIGKILL')
})

/** Ends in order whatever was started and still runs. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...running].map(({ stop }) => stop()))
}

type ChildOptions = {
  /** Takes what it prints. */
  logFile: string
  /** The program that runs it, if not our own Node. */
  node?: string
  /** Flags of that. */
  flags?: string[]
  /** The folder it works in, if not the repository's root. */
  cwd?: string
}

/** @param script a path from the repository's root. */
function spawnChild(args: string[], env: Record<string, string>, { logFile, node, flags = [], cwd }: ChildOptions) {
  const [script = '', ...others] = args
  const child = spawn(node ?? process.execPath, [...flags, `${root}${script}`, ...others], {
    cwd: cwd ?? root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      running.delete(entry)
      log.end(resolve)
    }),
  )
  async function stop() {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }
  const entry = { child, stop }
  running.add(entry)
  return { child, ended, stop }
}

/**
 * Runs a program to its end.
 * @throws when it fails.
 */
export async function runChild(args: string[], env: Record<string, string>, options: ChildOptions): Promise<void> {
  const { child, ended } = spawnChild(args, env, options)
  await ended
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${endOf(options.logFile)}`)
}

/**
 * Starts a program on a free port and waits until it is ready.
 * @throws when it ends first or takes longer than 90 s.
 */
export async function startChild(
  script: string,
  env: Record<string, string>,
  { readyPath, ...options }: ChildOptions & { readyPath: string },
): Promise<ChildServer> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const { child, ended, stop } = spawnChild([script], { ...env, PORT: String(port) }, options)

  while (!(await answers(`${origin}${readyPath}`))) {
    const isLate = performance.now() - startedAt > readyTimeoutMs
    if (child.exitCode === null && child.signalCode === null && !isLate) {
      await delay(10)
      continue
    }
    child.kill('SIGKILL')
    await ended
    throw new Error(`${script} did not start: ${endOf(options.logFile)}`)
  }

  return {
    origin,
    readyMs: performance.now() - startedAt,
    readMemory: () => readMemory(child.pid),
    stop,
  }
}

/** Lectern as `npm start` runs it, of the code that was built. */
export function startServer(env: Record<string, string>, logFile: string, flags: string[] = []): Promise<ChildServer> {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const parts: string[] = scripts.start.split(' ')
  const at = parts.findIndex((part) => part.endsWith('.js'))
  return startChild(parts[at] ?? '', env, { readyPath: '/readyz', logFile, flags: [...parts.slice(1, at), ...flags] })
}

const endOf = (logFile: string) => readFileSync(logFile, 'utf8').slice(-2000)

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

function readMemory(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return Number.NaN
  }
}
