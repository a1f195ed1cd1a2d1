import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { explainStartError } from '../../operations/start/explain-start-error.ts'
import { startServer } from '../../operations/start/start-server.ts'
import { makeDataFolder, removeDataFolder } from '../data-folder.ts'
import { createDatabase, templateName } from '../database.ts'
import { startProxy } from '../proxy.ts'
import { startTcpServer } from '../smtp-server.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Starts a server in a process of its own, and collects what it prints. */
function runMain(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void output.push(String(chunk)))
  return { child, output: () => output.join(''), ended: once(child, 'close') }
}

test('a database that is lost while the job queue starts is waited for', { timeout: 120_000 }, async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'), 'lectern_lost_at_start', templateName)
  // The table check succeeds, but the queue starts only after retries.
  const proxy = await startProxy(databaseUrl, { refuse: 3, applicationName: 'lectern-jobs' })
  const dataDir = await makeDataFolder()
  const env = { PORT: '0', METRICS_PORT: '0', DATA_DIR: dataDir, DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' }
  const server = await startServer(readConfig(env))
  expect(proxy.countRefused()).toBe(3)
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
  expect(await (await fetch(server.metricsAddress ?? '')).text()).toContain('lectern_ready{part="database"} 1')
  await server.stop()
  await expect(fetch(server.metricsAddress ?? '')).rejects.toThrow()
  await proxy.close()
  await removeDataFolder(dataDir)
})

test.each([
  ['postgres://no-host.invalid/lectern', /^Waiting for the database: Can’t resolve the host in DATABASE_URL/],
  ['postgres://localhost:1/lectern', /^Waiting for the database: The server in DATABASE_URL isn’t responding/],
])('a start that waits for %s names the variable', async (DATABASE_URL, text) => {
  const dataDir = await makeDataFolder()
  const env = { PORT: '0', DATA_DIR: dataDir, DATABASE_URL, SECRET: 'x'.repeat(32) }
  const mail = { SMTP_URL: 'smtp://m', MAIL_FROM: 'a@b.c' }
  const { child, output, ended } = runMain({ ...env, ...mail, NODE_ENV: 'production', PUBLIC_URL: 'http://localhost' })
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
  const messages = () => lines().map((line) => JSON.parse(line).msg)
  await expect.poll(messages).toContainEqual(expect.stringMatching(text))
  child.kill('SIGKILL')
  await ended
  await removeDataFolder(dataDir)
})

/** Lists what a server loads before it listens: names of packages and of Node's modules. */
const listLoaded = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      packages.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url)?.[1])
      return resolved
    },
  })
  await import(process.argv[1])
  await (await import(process.argv[2])).loadApp()
  console.log(JSON.stringify([...packages, ...process.moduleLoadList]))
`

test('what is not needed by every server is not loaded at the start', async () => {
  const modules = ['../../main.ts', '../../operations/start/start-server.ts'].map(
    (name) => new URL(name, import.meta.url).href,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', listLoaded, ...modules])
  const loaded: string[] = JSON.parse(stdout)
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'pg-boss', 'NativeModule http']))
  const late = [
    ...['@jsquash/webp', 'nodemailer', 'postal-mime', 'yazl', '@zxcvbn-ts/language-common', '@aws-sdk/client-s3'],
    ...['@opentelemetry/sdk-trace', '@simplewebauthn/server', '@embedpdf/pdfium', 'tesseract.js-core', 'pdfkit'],
    'NativeModule internal/deps/undici/undici',
  ]
  expect(loaded.filter((name) => late.includes(name))).toEqual([])
})

/** Returns the explanation of a failed start for the operator. */
async function explain(env: Record<string, string>): Promise<string> {
  const dataDir = await makeDataFolder()
  const all = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...env }
  try {
    const error = await startServer(readConfig(all)).then(
      (server) => server.stop(),
      (error) => error,
    )
    if (!(error instanceof Error)) throw new Error('It started')
    return explainStartError(error, all).text
  } finally {
    await removeDataFolder(dataDir)
  }
}

test('a start that fails names the variable that has to do with it', async () => {
  const wrongPassword = new URL(inject('postgresUrl'))
  wrongPassword.password = 'wrong'
  const noDatabase = new URL(inject('postgresUrl'))
  noDatabase.pathname = '/nowhere'
  expect(await explain({ DATABASE_URL: wrongPassword.href })).toMatch(
    /^PostgreSQL rejected the password .*Percent-encode/,
  )
  expect(await explain({ DATABASE_URL: noDatabase.href })).toMatch(/^The database in DATABASE_URL doesn’t exist/)
  const DATABASE_URL = inject('postgresUrl')
  const hosts = {
    '203.0.113.1': /^HOST isn’t an address of this machine/,
    'no-host.invalid': /^Can’t resolve the host in HOST/,
  }
  for (const [HOST, text] of Object.entries(hosts))
    expect(await explain({ DATABASE_URL, PORT: '34567', HOST })).toMatch(text)
  const taken = await startTcpServer(() => {})
  expect(await explain({ DATABASE_URL, METRICS_PORT: `${taken.port}` })).toMatch(/^METRICS_PORT is already in use/)
  await taken.close()
  const file = fileURLToPath(import.meta.url)
  expect(await explain({ DATA_DIR: `${file}/data` })).toMatch(/^Can’t use DATA_DIR/)
})

test.runIf(existsSync('/proc/self'))('a DATA_DIR that cannot be made ends the start, instead of spinning', async () => {
  expect(await explain({ DATA_DIR: '/proc/lectern/data' })).toMatch(/^Can’t use DATA_DIR/)
})

test('what only a crowded machine shows is explained too', () => {
  const error = (properties: object) => Object.assign(new Error('said by the system'), properties)
  const explainError = (properties: object, env = {}) =>
    explainStartError(error(properties), { DATA_DIR: '/srv/lectern', ...env }).text
  expect(explainError({ code: 'EADDRINUSE' })).toMatch(/^PORT is already in use/)
  expect(explainError({ code: 'EACCES', syscall: 'listen' })).toMatch(/^No permission to listen on PORT/)
  expect(explainError({ code: 'EADDRINUSE', port: 9464 })).toMatch(/^PORT is already in use/)
  expect(explainError({ code: 'EADDRNOTAVAIL', port: 9464 }, { METRICS_PORT: '9464' })).toMatch(
    /^METRICS_HOST isn’t an address/,
  )
  expect(explainError({ code: 'ECONNREFUSED' })).toBe('said by the system')
  const full = 'No space left on the disk of DATA_DIR. Free up space, then start again.'
  expect([explainError({ code: 'ENOSPC' }), explainError({ code: '53100' })]).toEqual([full, full])
  const ofInitdb = 'Couldn’t create the database in /x:\ninitdb: error: could not write: No space left on device'
  expect(explainStartError(new Error(ofInitdb), {}).text).toBe(full)
  expect(explainError({ code: 'EACCES', path: '/srv/lectern/secret' })).toMatch(/^No permission to use DATA_DIR/)
  expect(explainError({ code: 'EACCES', path: '/etc/hosts' })).toBe('said by the system')
  expect(explainError({ code: 'EACCES', path: '/srv/lectern-backups/one.tar' })).toBe('said by the system')
  expect(explainError({ code: 'ENOENT', path: '/srv/lectern/secret' })).toBe('said by the system')
  // The server then exits with a status after which it is not started again.
  const settings = [{ code: 'EADDRINUSE' }, { code: 'EACCES', path: '/srv/lectern/secret' }]
  for (const one of settings)
    expect(explainStartError(error(one), { DATA_DIR: '/srv/lectern' })).toMatchObject({ isMisconfigured: true })
})

test('a start with another SECRET than before is refused, and explains how to rotate it', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), 'lectern_other_secret', templateName)
  const env = { PORT: '0', DATABASE_URL, LOG_LEVEL: 'silent', SECRET: 'x'.repeat(32) }
  const dataDir = await makeDataFolder()
  await (await startServer(readConfig({ ...env, DATA_DIR: dataDir }))).stop()
  const other = await explain({ ...env, SECRET: 'y'.repeat(32) })
  expect(other).toMatch(/^SECRET doesn’t match .*lectern admin secret adopt/)
  await removeDataFolder(dataDir)
})

test('a start on a database of another schema exits with status 78, names the version that created it, and changes nothing', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'), 'lectern_other_schema', templateName)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`UPDATE schema_migrations SET sha256 = 'x', lectern = '7.6.5'`)
  const describe = async () => [
    (await client.query('SELECT * FROM schema_migrations')).rows,
    (await client.query('SELECT oid, relname FROM pg_class WHERE oid > 16383 ORDER BY oid')).rows,
    // A start writes to this table first.
    (await client.query('SELECT count(*) FROM storage_identity')).rows,
  ]
  const before = await describe()
  const dataDir = await makeDataFolder()
  const { output, ended } = runMain({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' })
  expect((await ended)[0]).toBe(78)
  expect(output()).toContain('The database was created by Lectern 7.6.5, whose schema differs')
  expect(await describe()).toEqual(before)
  await client.end()
  await removeDataFolder(dataDir)
})
