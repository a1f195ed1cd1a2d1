import { readFile } from 'node:fs/promises'
import { afterAll, expect } from 'vitest'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { createMetrics } from '../../platform/observability/telemetry.ts'
import { createNote, createUser, itWithUsers, openTestApp, openTestAppOn } from '../../testing/app.ts'
import { canary } from '../../testing/canary.ts'
import { readSamples, sumOf } from '../../testing/prometheus-text.ts'
import { post, requestReset } from '../../testing/students.ts'
import { serveMetrics } from './serve-metrics.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const served = await serveMetrics(test.deps, 0)
afterAll(() => served.close())

async function scrape(address = served.address) {
  const answer = await fetch(`${address}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  return { text, samples: readSamples(text) }
}
const get = (url: string, headers = {}) => test.app.inject({ url, headers })

it('metrics have help, type and each series once, and histograms add up', async () => {
  await get('/api/config')
  const { text, samples } = await scrape()
  const described = [...text.matchAll(/^# HELP (\S+) .+\n# TYPE \1 (counter|gauge|histogram|summary)$/gm)]
  expect(described.length).toBeGreaterThan(30)
  expect(text.match(/^# TYPE/gm)).toHaveLength(described.length)
  for (const [, name = '', type] of described) {
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')])
    if (type === 'histogram' && samples.some((sample) => sample.name === `${name}_count`))
      expect(sumOf(samples, `${name}_bucket`, { le: '+Inf' })).toBe(sumOf(samples, `${name}_count`))
  }
  const series = samples.map(({ name, labels }) => JSON.stringify([name, labels]))
  expect(new Set(series).size).toBe(series.length)
})

it('metrics count requests by the pattern of their route, whatever was requested', async ({ student }) => {
  const noteId = await createNote(test, student)
  await get('/api/config')
  const before = (await scrape()).samples
  for (let n = 0; n < 3; n++) await get(`/api/notes/${noteId}/view`, student.auth)
  for (let n = 0; n < 50; n++) await get(`/api/nowhere/${n}?token=${n}`)
  const { samples } = await scrape()
  const name = 'lectern_http_requests_total'
  const asked = (labels: Record<string, string>) => sumOf(samples, name, labels) - sumOf(before, name, labels)
  const routes = new Set(samples.filter((sample) => sample.name === name).map(({ labels }) => labels.route))
  expect(asked({ status: '200', route: '/api/notes/:id/view' })).toBe(3)
  expect(asked({ status: '404', route: 'unknown' })).toBe(50)
  expect([...routes].filter((route) => route?.includes(noteId) || route?.includes('nowhere'))).toEqual([])
  expect(sumOf(samples, 'lectern_http_requests_in_flight')).toBe(0)
})

it('metrics are fewer than 400 lines when every endpoint was called', async () => {
  for (const { method, path } of Object.values(endpoints)) await test.app.inject({ method, url: path })
  expect((await scrape()).text.split('\n').length).toBeLessThan(400)
})

it('metrics tell of connections, jobs, mails, documents, the storage and the disk', async ({ student }) => {
  await createNote(test, student)
  await requestReset(test, student.email)
  // An idle connection may be closed at any moment.
  const { samples } = await test.deps.db.connection().execute(() => scrape())
  expect(sumOf(samples, 'lectern_job_runs_total', { outcome: 'ok' })).toBeGreaterThan(0)
  expect(sumOf(samples, 'lectern_jobs_dead_letter_total', { name: 'account-mail' })).toBe(0)
  expect(sumOf(samples, 'lectern_database_connections_max', { pool: 'requests' })).toBe(5)
  expect(sumOf(samples, 'lectern_database_connections', { pool: 'requests' })).toBeGreaterThan(0)
  expect(sumOf(samples, 'lectern_database_connections', { pool: 'jobs' })).toBeGreaterThan(0)
  expect(sumOf(samples, 'lectern_database_statement_duration_seconds_count')).toBeGreaterThan(0)
  expect(sumOf(samples, 'lectern_storage_operation_duration_seconds_count', { operation: 'check' })).toBeGreaterThan(0)
  expect(sumOf(samples, 'lectern_disk_free_bytes', { folder: 'data' })).toBeGreaterThan(0)
  const free = sumOf(samples, 'lectern_disk_free_bytes', { folder: 'files' })
  expect(sumOf(samples, 'lectern_disk_size_bytes', { folder: 'files' })).toBeGreaterThan(free)
  expect(sumOf(samples, 'lectern_database_size_bytes')).toBeGreaterThan(1_000_000)
  for (const part of ['start', 'database', 'storage', 'spool'])
    expect([part, sumOf(samples, 'lectern_ready', { part })]).toEqual([part, 1])
})

it('metrics name no student and no note', async () => {
  const student = await createUser(test, canary)
  const noteId = await createNote(test, student, { title: 'Wavelets of Zyzzx', courseCode: 'XQZ 777' })
  await get(`/api/notes/${noteId}/view`, student.auth)
  await get(`/api/notes?title=zyzzx&instructor=${encodeURIComponent(canary.name)}`, student.auth)
  await post(test, '/api/users/login', { email: student.email, password: 'Not the desk 42!' })
  const { text } = await scrape()
  for (const secret of [student.id, student.email, noteId, canary.name, 'yzzx', 'XQZ', test.deps.secret])
    expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
})

it('metrics say what does not answer, and come all the same', async () => {
  const { check } = test.deps.files
  test.deps.files.check = () => Promise.reject(new Error('The disk is gone'))
  const { samples } = await scrape()
  test.deps.files.check = check
  expect(sumOf(samples, 'lectern_ready', { part: 'storage' })).toBe(0)
  expect(sumOf(samples, 'lectern_ready', { part: 'database' })).toBe(1)
})

it('metrics of a worker tell of its jobs', async () => {
  const DATABASE_URL = test.databaseUrl
  const role = { ROLE: 'worker', DATABASE_URL, PUBLIC_URL: 'http://localhost:3000', SECRET: 'x'.repeat(32) }
  const worker = await openTestAppOn(test, role)
  const ofWorker = await serveMetrics(worker.deps, 0)
  const { samples } = await scrape(ofWorker.address)
  await ofWorker.close()
  expect(sumOf(samples, 'lectern_build_info', { role: 'worker' })).toBe(1)
  expect(sumOf(samples, 'lectern_database_connections', { pool: 'jobs' })).toBeGreaterThan(0)
})

it('the pages’ port serves no metrics', async () => {
  const { headers, body } = await get('/metrics')
  expect(headers['content-type']).not.toMatch(/text\/plain/)
  expect(body).not.toContain('lectern_')
})

it.each(['GET / 404', 'GET /metrics/x 404', 'POST /metrics 405'])('where metrics are, %s', async (line) => {
  const [method, path, status] = line.split(' ')
  expect((await fetch(`${served.address}${path}`, { method })).status).toBe(Number(status))
})

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const rules = await read('deploy/prometheus/lectern.rules.yml')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const metrics = createMetrics().registry.getMetricsAsArray()

const deployed = ['prometheus/lectern.rules.yml', 'prometheus/lectern.rules.test.yml', 'grafana/lectern.json']
it.each(deployed)('deploy/%s speaks of metrics and labels that there are', async (path) => {
  const known = new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
  const named = [...(await read(`deploy/${path}`)).matchAll(/lectern_\w+/g)].map(([name]) => name)
  expect(named.length).toBeGreaterThan(10)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})

it('every alert is tested, and names what the operator can do', async () => {
  const [tests, guide] = [await read('deploy/prometheus/lectern.rules.test.yml'), await read('docs/operations.md')]
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter((name) => !tests.includes(`alertname: ${name}`))).toEqual([])
  expect(alerts.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

it('every metric is described to the operator', async () => {
  const guide = await read('docs/operations.md')
  expect(metrics.map(({ name }) => name).filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
