import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const patienceMs = 15_000
const startMs = 120_000

type Account = { uid?: number; gid?: number }

export type Daemon = {
  process: ChildProcess
  isRunning(): boolean
  /** Resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

type StartOptions = {
  env?: NodeJS.ProcessEnv
  as?: Account
  /** In a process group of its own, which is ended as a whole. */
  withChildren?: boolean
}

/** Programs in the foreground, so that they end with us, with a folder for what they keep and say. */
export type Daemons = {
  folder: string
  start(name: string, command: string, args: string[], options?: StartOptions): Daemon
  /** Ends those that are left, the last one first, and takes the folder away. */
  stop(): Promise<void>
}

export async function openDaemons(prefix: string): Promise<Daemons> {
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const daemons: Daemon[] = []
  return {
    folder,
    start(name, command, args, { env, as = {}, withChildren = false } = {}) {
      const output = openSync(join(folder, `${name}.log`), 'a')
      const child = spawn(command, args, {
        ...as,
        env,
        cwd: '/',
        stdio: ['ignore', output, output],
        detached: withChildren,
      })
      closeSync(output)
      child.once('error', () => {})
      const daemon = watch(child, withChildren)
      daemons.push(daemon)
      return daemon
    },
    async stop() {
      for (const daemon of daemons.toReversed()) await daemon.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function watch(child: ChildProcess, withChildren: boolean): Daemon {
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  function send(signal: NodeJS.Signals): void {
    if (child.pid === undefined) return
    try {
      process.kill(withChildren ? -child.pid : child.pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
  return {
    process: child,
    isRunning,
    async end(signal = 'SIGTERM') {
      if (!isRunning()) return
      send(signal)
      const inTime = new AbortController()
      const late = setTimeout(patienceMs, null, { signal: inTime.signal }).then(
        () => send('SIGKILL'),
        () => {},
      )
      await ended
      inTime.abort()
      await late
    },
  }
}

/** @throws when it takes too long, with what the last try said. */
export async function until<T>(
  what: string,
  find: () => Promise<T | null | undefined | false>,
  withinMs = startMs,
): Promise<T> {
  let reason = ''
  for (const end = Date.now() + withinMs; Date.now() < end; await setTimeout(100)) {
    const found = await find().catch((error: Error) => {
      reason = error.message
      return null
    })
    if (found) return found
  }
  throw new Error(`${what}: not within ${withinMs / 1000} s. ${reason}`)
}

/** Whom PostgreSQL's programs run as, which refuse root. */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
