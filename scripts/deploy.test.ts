import { readdirSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { getHealth, getReadiness } from '../packages/contract/system.endpoints.ts'
import { ConfigError, configEntries, readConfig } from '../server/config.ts'
import { createProxyCheck } from '../server/platform/http/addresses.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

type Env = Record<string, string>
type Manifest = { kind: string; metadata: { name: string } } & Record<string, unknown>

const dockerfile = read('deploy/Dockerfile').replaceAll('\\\n', ' ')
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest)
const imageEnv = Object.fromEntries(
  instructions('ENV').flatMap((line) =>
    [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  ),
)
delete imageEnv.PATH

/** The variables of the example file, for references such as `${NAME:?}`. */
const composeVariables = parseEnv(read('deploy/compose.env.example')) as Env
const composeText = read('deploy/compose.yaml').replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => {
  const value = composeVariables[name]
  if (value === undefined) throw new Error(`compose.env.example lacks ${name}`)
  return value
})
const compose = parse(composeText, { merge: true })

const manifests: Manifest[] = readdirSync(new URL('deploy/kubernetes', root))
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS()))
const manifest = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name) as Manifest
const podOf = (name: string) => (manifest('Deployment', name).spec as { template: { spec: Pod } }).template.spec
type Probe = { httpGet: { path: string; port: string } }
type Container = {
  args?: string[]
  env?: { name: string; value: string }[]
  ports: { containerPort: number }[]
  volumeMounts: { mountPath: string }[]
} & Record<string, Probe>
type Pod = { containers: [Container] }

const unit = read('deploy/lectern.service')
const environmentOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
const unitEnv = environmentOf(unit)

function envOfPod(name: string): Env {
  const [{ env = [], args = [] }] = podOf(name).containers
  return {
    ...imageEnv,
    ...(manifest('ConfigMap', 'lectern').data as Env),
    ...(parseEnv(read('deploy/kubernetes/secret.env.example')) as Env),
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    // `lectern worker` sets this role.
    ...(args[0] === 'worker' && { ROLE: 'worker' }),
  }
}

/** The environments of all ways to run Lectern. */
const environments: Record<string, Env> = {
  systemd: { ...(parseEnv(read('deploy/lectern.env.example')) as Env), ...unitEnv },
  'compose, a server': { ...imageEnv, ...compose.services.web1.environment },
  'compose, the other server': { ...imageEnv, ...compose.services.web2.environment },
  'compose, the worker': { ...imageEnv, ...compose.services.worker.environment, ROLE: 'worker' },
  'Kubernetes, a server': envOfPod('lectern-web'),
  'Kubernetes, the worker': envOfPod('lectern-worker'),
}

describe.each(Object.entries(environments))('what %s sets', (_, env) => {
  it('are variables that there are, with values that they take', () => {
    expect(Object.keys(env).filter((name) => !Object.hasOwn(configEntries, name))).toEqual([])
    expect(readConfig(env).production).toBe(true)
  })
})

it('ports, addresses and folders agree', () => {
  const port = configEntries.PORT.default
  expect([imageEnv.PORT, ...instructions('EXPOSE')]).toEqual([port, port])
  expect(read('deploy/Caddyfile')).toContain(`{$LECTERN_SERVERS:127.0.0.1:${port}}`)
  expect(read('deploy/nginx.conf')).toContain(`server 127.0.0.1:${port} `)
  const { proxy, web1, web2, worker } = compose.services
  expect(proxy.environment.LECTERN_SERVERS).toBe(`web1:${port} web2:${port}`)
  expect(web1.environment.TRUST_PROXY).toBe(proxy.networks.lectern.ipv4_address)
  // Docker assigns the other addresses from the range alone, in any order.
  const [{ subnet, ip_range: range }] = compose.networks.lectern.ipam.config
  const holds = (cidr: string, address: string) => createProxyCheck([cidr])(address)
  expect(holds(subnet, proxy.networks.lectern.ipv4_address)).toBe(true)
  expect(holds(range, proxy.networks.lectern.ipv4_address)).toBe(false)
  expect(holds(subnet, range.split('/')[0])).toBe(true)
  expect(worker.command).toEqual(['worker'])
  for (const { volumes } of [web1, web2, worker]) expect(volumes[0].split(':')[1]).toBe(imageEnv.DATA_DIR)
  expect(instructions('VOLUME')).toEqual([imageEnv.DATA_DIR])
  for (const name of ['lectern-web', 'lectern-worker']) {
    const [{ ports, volumeMounts }] = podOf(name).containers
    expect([String(ports[0]?.containerPort), volumeMounts[0]?.mountPath]).toEqual([port, imageEnv.DATA_DIR])
  }
  expect(unit).toContain(`RestartPreventExitStatus=${ConfigError.exitStatus}\n`)
  expect(environmentOf(read('deploy/lectern-backup.service'))).toEqual(unitEnv)
  for (const [name, value] of Object.entries(unitEnv)) expect(read('deploy/lectern')).toContain(`\n${name}=${value}\n`)
  expect(unit).toContain(`StateDirectory=${unitEnv.DATA_DIR?.replace('/var/lib/', '')}\n`)
})

it('health checks use the addresses that Lectern serves', () => {
  for (const name of ['lectern-web', 'lectern-worker']) {
    const [{ livenessProbe, startupProbe }] = podOf(name).containers
    expect([livenessProbe?.httpGet.path, startupProbe?.httpGet.path]).toEqual([getHealth.path, getReadiness.path])
  }
  expect(podOf('lectern-web').containers[0].readinessProbe?.httpGet.path).toBe(getReadiness.path)
  expect(dockerfile).toContain(`\${process.env.PORT}${getReadiness.path}\``)
  expect(read('deploy/Caddyfile')).toContain(`health_uri ${getReadiness.path}\n`)
})

it('every server drains before it stops, and has time for it', () => {
  for (const env of Object.values(environments)) expect(env.DRAIN_SECONDS).toBe('5')
  expect(compose.services.web1.stop_grace_period).toBe('20s')
  expect(unit).toContain('TimeoutStopSec=20s\n')
})

it('the Dockerfile goes the way that the README describes', () => {
  const steps = ['npm ci', 'npm pack', 'npm install -g', './lectern-*.tgz', 'lectern start']
  for (const step of steps) expect(read('README.md')).toContain(step)
  const [libraries, ...runs] = instructions('RUN')
  expect(libraries).toContain(' libatomic1 ')
  expect(runs.slice(0, 2)).toEqual(['npm ci', 'npm pack'])
  expect(runs[2]).toMatch(/^npm install -g .*\.\/lectern-\*\.tgz$/)
  const started = [...instructions('ENTRYPOINT'), ...instructions('CMD')].flatMap((line) => JSON.parse(line))
  expect(started.join(' ')).toBe('lectern start')
})

it('the Dockerfile runs as a numeric user that is not root', () => expect(instructions('USER')).toEqual(['10001:0']))

it('has workflows that call scripts that exist', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const texts = readdirSync(new URL('.github/workflows/', root)).map((file) => read(`.github/workflows/${file}`))
  const called = texts.flatMap((text) => [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name))
  expect(called).not.toEqual([])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called))
})
