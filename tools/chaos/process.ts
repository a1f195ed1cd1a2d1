import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/free-port.ts'
import type { Daemon, Daemons } from '../debian/daemons.ts'
import { rest } from './student.ts'

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

export type ServerProcess = {
  name: string
  url: string
  isReady(): boolean
  /** Until it is ready, or has been killed. @param besides of its environment. */
  start(besides?: Record<string, string>): Promise<void>
  /** kill -9, and a start that nobody waits for. @returns whether it was killed before it was ready. */
  kill(): Promise<boolean>
  end(): Promise<void>
}

/** A process of Lectern, always on the same port. @param faults gets a line where it ends by itself. */
export async function prepareProcess(
  daemons: Daemons,
  name: string,
  env: Record<string, string>,
  faults: string[],
): Promise<ServerProcess> {
  const port = await findFreePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  let daemon: Daemon | null = null
  let isReady = false
  let isEnding = false

  async function start(besides: Record<string, string> = {}): Promise<void> {
    const own = { ...process.env, ...env, ...besides, PORT: String(port) }
    const started = daemons.start(name, process.execPath, [main], { env: own })
    daemon = started
    isEnding = false
    started.process.once('exit', (code) => {
      // One that is told to end may be cut off after ten seconds, as the machine goes.
      if (!isEnding && code !== null) faults.push(`${name} ended by itself with ${code}`)
    })
    while (started.isRunning()) {
      const response = await fetch(`${url}/readyz`).catch(() => null)
      await response?.arrayBuffer().catch(() => {})
      if (response?.ok && daemon === started && started.isRunning()) {
        isReady = true
        return
      }
      await rest(50)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    isEnding = true
    await daemon?.end(signal)
    isReady = false
  }

  return {
    name,
    url,
    isReady: () => isReady,
    start,
    async kill() {
      const wasReady = isReady
      await end('SIGKILL')
      void start()
      return !wasReady
    },
    end: () => end('SIGTERM'),
  }
}
