import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildCodeIfStale } from '../../../scripts/build.ts'
import { makeDataFolder, removeDataFolder } from '../data-folder.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

const patience = { timeout: 60_000, interval: 100 }

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const readPid = async (path: string) => Number.parseInt(await readFile(path, 'utf8'), 10)

// The demo runs without its npm pre-script, which would build the pages too.
beforeAll(buildCodeIfStale)

/** Returns the ids of the started process, the server and its PostgreSQL. */
async function findPids({ dataDir, process: started }: ServerProcess) {
  return {
    started: started.pid ?? Number.NaN,
    server: await readPid(join(dataDir, 'lectern.lock.pid')),
    postgres: await readPid(join(dataDir, 'postgres', 'postmaster.pid')),
  }
}

test.skipIf(process.platform === 'win32')(
  'npm start stops cleanly when npm, the process group or the server is signalled',
  { timeout: 300_000 },
  async () => {
    const dataDir = await makeDataFolder()
    const ways = {
      'npm alone': ({ started }) => process.kill(started, 'SIGTERM'),
      'the process group': ({ started }) => process.kill(-started, 'SIGTERM'),
      'the process group by Ctrl+C': ({ started }) => process.kill(-started, 'SIGINT'),
      'the server alone': ({ server }) => process.kill(server, 'SIGTERM'),
    } satisfies Record<string, (pids: Awaited<ReturnType<typeof findPids>>) => unknown>
    for (const [way, tell] of Object.entries(ways)) {
      const server = await startServerProcess(dataDir, { byNpm: 'start' })
      const pids = await findPids(server)
      tell(pids)
      await expect
        .poll(() => Object.entries(pids).filter(([, pid]) => isRunning(pid)), { ...patience, message: way })
        .toEqual([])
      // Neither this stop nor the start in the next round may log a warning.
      expect(server.output()).toContain('Stopping')
      expect(server.output(), way).not.toMatch(/WARN|ERROR|left behind|in time/)
    }
    await removeDataFolder(dataDir)
  },
)

test.skipIf(process.platform === 'win32')(
  'npm run demo stops cleanly when npm is signalled while the library is being filled',
  { timeout: 300_000 },
  async () => {
    const server = await startServerProcess(undefined, { byNpm: 'demo' })
    // The output is complete only when all processes that hold it have ended.
    const closed = once(server.process, 'close')
    const pids = await findPids(server)
    await expect.poll(() => server.output(), { ...patience, timeout: 120_000 }).toMatch(/Creating sample notes/)
    process.kill(pids.started, 'SIGTERM')
    await expect.poll(() => Object.entries(pids).filter(([, pid]) => isRunning(pid)), patience).toEqual([])
    await closed
    expect(server.output()).toContain('Stopping')
    expect(server.output()).not.toMatch(/WARN|ERROR|left behind|in time|not available/)
    await removeDataFolder(server.dataDir)
  },
)

test('a request that waits when the server ends is cut off, and is no error', { timeout: 120_000 }, async () => {
  const server = await startServerProcess()
  try {
    const login = request(`${server.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', expect: '100-continue' },
    })
    const outcome = new Promise((resolve) => {
      login.on('response', ({ statusCode }) => resolve(statusCode)).on('error', () => resolve('cut off'))
    })
    login.flushHeaders()
    // With this response the server confirms that it has the request. Only the beginning of the body is ever sent.
    await once(login, 'continue')
    login.write('{"email": "')
    await server.interrupt()
    expect(await outcome).toBe('cut off')
    expect(server.process.exitCode).toBe(0)
    expect(server.output()).not.toMatch(/WARN|ERROR|in time/)
  } finally {
    await server.stop()
  }
})
