import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePort } from '../../platform/embedded-postgres/free-port.ts'
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts'

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))
const run = promisify(execFile)

type Sample = { metric: Record<string, string>; value: [number, string] }
let server: ServerProcess
let prometheus: ChildProcess
let prometheusUrl: string
let folder: string
let metricsUrl: URL

/** Starts a real server and a real Prometheus that scrapes it every second, with the rules that Lectern ships. */
beforeAll(async () => {
  server = await startServerProcess(undefined, { env: { METRICS_PORT: '0' } })
  const found = /Metrics: (\S+)/.exec(server.output())?.[1]
  metricsUrl = new URL(found ?? '')
  folder = await mkdtemp(join(tmpdir(), 'lectern-prometheus-'))
  await cp(join(deploy, 'prometheus'), folder, { recursive: true })
  const shipped = await readFile(join(folder, 'prometheus.yml'), 'utf8')
  const config = shipped.replaceAll(/15s/g, '1s').replace('127.0.0.1:9464', metricsUrl.host)
  expect(config).toContain(metricsUrl.host)
  await writeFile(join(folder, 'prometheus.yml'), config)
  const port = await findFreePort()
  prometheusUrl = `http://127.0.0.1:${port}`
  const flags = {
    'config.file': 'prometheus.yml',
    'storage.tsdb.path': 'data',
    'web.listen-address': `127.0.0.1:${port}`,
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  prometheus = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' })
})
afterAll(async () => {
  const ended = once(prometheus, 'exit')
  prometheus.kill('SIGTERM')
  await ended
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function ask<T>(path: string, query: Record<string, string> = {}): Promise<T | null> {
  const answer = await fetch(`${prometheusUrl}${path}?${new URLSearchParams(query)}`).catch(() => null)
  if (!answer) return null
  const body = (await answer.json()) as { status: string; data: T; error?: string }
  if (body.status !== 'success') throw new Error(`${query.query}: ${body.error}`)
  return body.data
}
const query = async (text: string) => (await ask<{ result: Sample[] }>('/api/v1/query', { query: text }))?.result ?? []

it('a real Prometheus scrapes a server, whose requests it then knows', async () => {
  for (let n = 0; n < 5; n++) expect((await fetch(`${server.url}/api/config`)).status).toBe(200)
  const asked = 'lectern_http_requests_total{route="/api/config", method="GET", status="200"}'
  await expect.poll(async () => Number((await query(asked))[0]?.value[1])).toBe(5)
  const [up] = await query('up{job="lectern"}')
  expect(up?.value[1]).toBe('1')
  expect(await query('min(lectern_ready)')).toMatchObject([{ value: [expect.any(Number), '1'] }])
})

it('a real Prometheus takes our rules, which evaluate without a complaint', async () => {
  type Groups = { groups: { rules: { name: string; health: string; lastError?: string; state: string }[] }[] }
  const rules = async () => (await ask<Groups>('/api/v1/rules'))?.groups.flatMap((group) => group.rules) ?? []
  await expect.poll(async () => (await rules()).map(({ health }) => health)).toEqual(Array(17).fill('ok'))
  expect((await rules()).filter(({ state }) => state === 'firing')).toEqual([])
})

it('a real Prometheus answers every question of the dashboard', async () => {
  const { panels } = JSON.parse(await readFile(join(deploy, 'grafana', 'lectern.json'), 'utf8'))
  const asked = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr))
  expect(asked.length).toBeGreaterThan(25)
  for (const text of asked) await query(text.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'))
})

it('promtool finds nothing wrong with the metrics', async () => {
  const text = await (await fetch(metricsUrl)).text()
  const checking = run('promtool', ['check', 'metrics'])
  checking.child.stdin?.end(text)
  expect(await checking).toEqual({ stdout: '', stderr: '' })
})

it('promtool finds nothing wrong with the rules, and every alert comes when it should', async () => {
  const cwd = join(deploy, 'prometheus')
  expect((await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd })).stdout).toContain('SUCCESS')
  expect((await run('promtool', ['check', 'rules', 'lectern.rules.yml'], { cwd })).stdout).toContain('17 rules found')
  expect((await run('promtool', ['test', 'rules', 'lectern.rules.test.yml'], { cwd })).stdout).toContain('SUCCESS')
})
