import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../server/testing/data-folder.ts'

const repository = fileURLToPath(new URL('../', import.meta.url))
const timeout = 240_000
vi.setConfig({ testTimeout: timeout })
let clone = ''
let dataDir = ''

beforeAll(async () => {
  dataDir = await makeDataFolder()
  clone = await mkdtemp(join(tmpdir(), 'lectern-clone-'))
  const files = ['package.json', 'package-lock.json', 'tsconfig.base.json']
  for (const name of ['packages', 'scripts', 'server', 'web', ...files]) {
    await cp(join(repository, name), join(clone, name), { recursive: true })
  }
  await symlink(join(repository, 'node_modules'), join(clone, 'node_modules'))
})
afterAll(async () => {
  await rm(clone, { recursive: true })
  await removeDataFolder(dataDir)
})

/** Starts Lectern as a new operator does. */
function start(env: Record<string, string> = {}) {
  const { LOG_LEVEL, NODE_ENV, ...inherited } = process.env
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...inherited, PORT: '0', DATA_DIR: dataDir, ...env },
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, closed: once(child, 'close'), output: () => output }
}

test.skipIf(process.platform === 'win32')(
  'npm start in a clone builds, serves and prints twelve lines, and builds no second time',
  async () => {
    const assets = join(clone, 'dist/web/assets')
    for (const isFirst of [true, false]) {
      const { child, closed, output } = start({ NODE_ENV: 'development' })
      await expect.poll(output, { timeout }).toContain('Press Ctrl+C to stop')
      expect(output().includes('Building the pages')).toBe(isFirst)
      expect(output().split('\n').length - 1).toBeLessThanOrEqual(12)
      expect(output()).not.toMatch(/WARN|Migration|\d kB|\d ms/)
      const [, url = ''] = /running at (\S*\w)/.exec(output()) ?? []
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      const [, script = ''] = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(url)).text()) ?? []
      const { headers } = await fetch(`${url}${script}`, { headers: { 'accept-encoding': 'br' } })
      expect(headers.get('content-encoding')).toBe('br')
      const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
      const texts = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
      expect(texts.some((text) => text.includes('child in a list should have a unique'))).toBe(false)
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await closed
    }
    expect((await readdir(clone)).filter((name) => name.startsWith('lib'))).toEqual(['lib'])
    expect(await readdir(join(clone, 'dist'))).toEqual(['web'])
  },
)

test.skipIf(process.platform === 'win32')(
  'npm start ends with the reason alone where it cannot listen, the pages cannot be built or a setting is wrong',
  async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const failed = start({ PORT: String((other.address() as AddressInfo).port) })
    await failed.closed
    other.close()
    expect(failed.child.exitCode).toBe(78)
    expect(failed.output()).toMatch(/^PORT is already in use/m)
    expect(failed.output()).not.toContain('WARN')

    await appendFile(join(clone, 'web/main.tsx'), '\nimport "./no-such-file.ts"\n')
    const ends = [
      [{}, /no-such-file\.ts/, /The pages could not be built\.\n/],
      [{ PORT: 'none' }, /PORT must be a whole number/],
    ] as const
    const tried = ends.map(async ([env, ...said]) => {
      const { child, closed, output } = start(env)
      await closed
      expect(child.exitCode).toBeGreaterThan(0)
      for (const text of said) expect(output()).toMatch(text)
    })
    await Promise.all(tried)
    // PostgreSQL has stopped as well.
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
  },
)
