import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createMetrics } from '../../platform/observability/telemetry.ts'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const rules = await read('deploy/prometheus/lectern.rules.yml')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const metrics = createMetrics().registry.getMetricsAsArray()

it.each([
  'deploy/prometheus/lectern.rules.yml',
  'deploy/prometheus/lectern.rules.test.yml',
  'deploy/grafana/lectern.json',
])('%s speaks of metrics and labels that there are', async (path) => {
  const known = new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name],
    ),
  )
  const named = [...(await read(path)).matchAll(/lectern_\w+/g)].map(([name]) => name)
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
