import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, launchServer, type Server } from './server.ts'

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
