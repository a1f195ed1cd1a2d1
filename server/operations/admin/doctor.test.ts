import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { acquireLock } from '../../platform/embedded-postgres/file-lock.ts'
import { findFreePort } from '../../platform/embedded-postgres/free-port.ts'
import { openTestApp } from '../../testing/app.ts'
import { makeTestFolder, onTestEnd } from '../../testing/data-folder.ts'
import { quietLog, recordOutput } from '../../testing/log.ts'
import { startSmtpServer } from '../../testing/smtp-server.ts'
import { checkMail, checkPublicUrl, checkSettings, checkTraces, compareClocks, type Finding } from './doctor/checks.ts'
import { doctor } from './doctor.ts'

const smtp = await startSmtpServer({
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('nobody') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
})
const test = await openTestApp()
const address = await test.app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => smtp.close())

const SECRET = 'q7Zr1mVw0sXb5Ke9TfYu2Hc8Jd4Gn6La'
const wellEnv: Record<string, string> = {
  DATABASE_URL: test.databaseUrl,
  PUBLIC_URL: address,
  SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  MAIL_FROM: 'desk@notes.example',
  SECRET,
  ...test.whereFilesAre,
}

/** @returns whether nothing failed, and the output. */
async function examine(env: Record<string, string>, sendTestTo: string | null = null) {
  const { said, out } = recordOutput()
  const isWell = await doctor({ config: readConfig(env), env, log: quietLog }, sendTestTo, out)
  return { isWell, said: said.join('') }
}
const badOnes = (said: string) => said.split('\n').filter((line) => line.startsWith('    FAIL '))
const badOf = (found: Finding[]) => found.filter(({ kind }) => kind === 'failure').map(({ text }) => text)

/** Starts a web server that is not Lectern, or a proxy before it. */
async function startWeb(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

it('lectern admin doctor finds no failure where all is well, looks at every part, and leaves nothing behind', async () => {
  const before = await sql`SELECT count(*) FROM pg_stat_user_tables`.execute(test.deps.db)
  const { isWell, said } = await examine(wellEnv)
  expect(badOnes(said)).toEqual([])
  expect(isWell).toBe(true)
  for (const part of [
    'are free on the disk of',
    /PostgreSQL \d+\.\d+ is running/,
    'The clock of the database matches this machine’s',
    /A server opens up to 21 connections; \d+ of \d+ are in use/,
    'The database role has the settings that Lectern needs',
    'The schema is up to date',
    'The job queue is up to date',
    'Wrote, read and deleted a test file',
    'The storage belongs to this database',
    'Logged in to the mail server',
    'reaches Lectern',
    'Uploads of 251 MB reach',
  ]) {
    expect(said).toMatch(part)
  }
  expect(smtp.received).toEqual([])
  expect((await sql`SELECT count(*) FROM pg_stat_user_tables`.execute(test.deps.db)).rows).toEqual(before.rows)
  expect(said).not.toContain(new URL(test.databaseUrl).host)
  expect(said).not.toContain(SECRET)
})

it('lectern admin doctor sends a mail to the given address, and reports the mail server’s reply', async () => {
  expect(await examine(wellEnv, 'ana@uni.example')).toMatchObject({ isWell: true })
  expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['ana@uni.example']])
  const { isWell, said } = await examine(wellEnv, 'nobody@uni.example')
  expect(isWell).toBe(false)
  expect(badOnes(said)).toEqual([
    expect.stringContaining("rejected: Can't send mail - all recipients were rejected: 550 No such mailbox"),
  ])
})

it('lectern admin doctor continues with the other parts when one is unavailable', async () => {
  const port = await findFreePort()
  const { isWell, said } = await examine({
    ...wellEnv,
    DATABASE_URL: `postgres://lectern:x@127.0.0.1:${port}/lectern`,
    METRICS_PROT: '9464',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
  expect(isWell).toBe(false)
  expect(badOnes(said)).toEqual([
    expect.stringMatching('The database isn’t responding: .*ECONNREFUSED'),
    expect.stringMatching(/Can’t log in to the mail server 127\.0\.0\.1:\d+: .*ECONNREFUSED.* Check host and port/),
    expect.stringMatching('Can’t reach .*ECONNREFUSED.*Check the server'),
  ])
  // Each message ends with one punctuation mark.
  expect(said).toContain('Did you mean METRICS_PORT?\n')
  expect(said).not.toMatch(/[.?!]\.(?:\s|$)/)
})

it('lectern admin doctor names the secret where the embedded database is another’s', async () => {
  const dataDir = await makeTestFolder()
  const { port } = new URL(test.databaseUrl)
  await mkdir(join(dataDir, 'postgres'))
  // The file looks like that of a running server which uses the folder.
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), ['1', dataDir, '1', port].join('\n'))
  const lock = await acquireLock(join(dataDir, 'lectern.lock'))
  onTestEnd(() => lock.release())
  const { said } = await examine({ DATA_DIR: dataDir, SECRET })
  expect(badOnes(said)).toEqual([expect.stringContaining('SECRET doesn’t match the server that runs')])
  expect(said).not.toContain('DATABASE_URL')
})

it('lectern admin doctor reports whether the collector accepts traces', async () => {
  const collector = await startWeb(({ url }, answer) => answer.writeHead(url === '/v1/traces' ? 200 : 404).end('{}'))
  const judge = async (OTEL_EXPORTER_OTLP_ENDPOINT: string) =>
    (await checkTraces(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }))).map(({ kind, text }) => `${kind}: ${text}`)
  expect(await judge('')).toEqual([])
  expect(await judge(collector)).toEqual([expect.stringMatching(/^ok: .* accepts traces/)])
  expect(await judge(`${collector}/other`)).toEqual([
    expect.stringMatching(/^warning: .* returned 404 for traces. Check OTEL_EXPORTER_OTLP_ENDPOINT/),
  ])
  const away = `127.0.0.1:${await findFreePort()}`
  const { isWell, said } = await examine({ ...wellEnv, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${away}` })
  expect(isWell).toBe(true)
  expect(said).toContain(`warn ${away} in OTEL_EXPORTER_OTLP_ENDPOINT isn’t responding: connect ECONNREFUSED`)
})

it('lectern admin doctor sees a database that is empty, newer or short of connections', async () => {
  const { said } = await examine({ ...wellEnv, DATABASE_URL: inject('postgresUrl') })
  expect(said).toContain('The database is empty. The first start creates its tables')
  await sql`INSERT INTO schema_migrations VALUES ('9999_later.sql', 'x', '99.0.0')`.execute(test.deps.db)
  const newer = await examine({ ...wellEnv, DATABASE_POOL_SIZE: '500' })
  await sql`DELETE FROM schema_migrations WHERE name = '9999_later.sql'`.execute(test.deps.db)
  expect(badOnes(newer.said)).toEqual([
    expect.stringMatching(/opens up to 511 connections; .*: raise max_connections, or lower DATABASE_POOL_SIZE/),
    expect.stringContaining('created by Lectern 99.0.0, whose schema differs'),
  ])
})

it('lectern admin doctor reports jobs without a worker', async () => {
  const { db } = test.deps
  await sql`INSERT INTO pgboss.job (name, data, start_after) SELECT 'nobody-does-it', '{}', now() - interval '1 hour'
      WHERE pgboss.create_queue('nobody-does-it', '{"policy":"standard"}') IS NOT NULL`.execute(db)
  const { said } = await examine(wellEnv)
  await sql`DELETE FROM pgboss.job WHERE name = 'nobody-does-it'`.execute(db)
  expect(badOnes(said)).toEqual([
    expect.stringMatching(/1 job has been waiting for up to 60 minutes. Start a server with ROLE=all/),
  ])
})

it('lectern admin doctor sees the storage of another database, and a secret that others may read', async () => {
  const dataDir = await makeTestFolder()
  const other = await openTestApp({ DATA_DIR: dataDir })
  await writeFile(join(dataDir, 'secret'), 'x')
  await chmod(join(dataDir, 'secret'), 0o644)
  const { said } = await examine({ ...wellEnv, ...other.whereFilesAre, DATA_DIR: dataDir })
  expect(badOnes(said)).toEqual([
    expect.stringMatching(/secret is readable by others. Run chmod 600/),
    expect.stringContaining('belongs to another database'),
  ])
})

it('lectern admin doctor sees that the folder of files is missing, and makes none', async () => {
  const dataDir = await makeTestFolder()
  const { isWell, said } = await examine({ DATABASE_URL: test.databaseUrl, SECRET, DATA_DIR: dataDir })
  expect(isWell).toBe(false)
  expect(badOnes(said)).toEqual([expect.stringContaining(`${join(dataDir, 'files')} doesn’t exist, although this`)])
  expect(said).not.toContain(`${join(dataDir, 'files')} doesn’t exist yet`)
  expect(await readdir(dataDir)).toEqual([])
})

it('lectern admin doctor makes nothing where nothing is', async () => {
  const dataDir = join(await makeTestFolder(), 'never')
  const { said } = await examine({ DATA_DIR: dataDir })
  expect(said).toContain('yet. The first start creates it.')
  expect(said).toContain(`${dataDir} doesn’t exist yet`)
  await expect(chmod(dataDir, 0o700)).rejects.toThrow('ENOENT')
})

const judge = (env: Record<string, string>) =>
  checkSettings(readConfig(env), env).map(({ kind, text }) => `${kind}: ${text}`)
const production = {
  ...wellEnv,
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://notes.example.org',
  TRUST_PROXY: '10.0.0.1',
  MAIL_FROM: 'desk@notes.example.org',
}

it('settings of a server for others are ok', () => {
  expect(judge(production)).toEqual(['ok: Settings look good'])
})

it.each([
  [{ NODE_ENV: '' }, /^warning: NODE_ENV isn’t production/],
  [{ NODE_ENV: '', PUBLIC_URL: 'http://notes.example.org' }, /^warning: PUBLIC_URL is http:.*sent unencrypted/],
  [{ NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000' }, /^warning: PUBLIC_URL .*only work on this machine$/],
  [{ TRUST_PROXY: '' }, /^failure: TRUST_PROXY isn’t set/],
  [{ TRUST_PROXY: '0.0.0.0/0' }, /^failure: TRUST_PROXY contains 0\.0\.0\.0\/0/],
  [{ SECRET: 'change-me-change-me-change-me-change-me' }, /^failure: SECRET is guessable/],
  [{ SECRET: '01'.repeat(20) }, /^failure: SECRET is guessable/],
  [{ SECRET: '' }, /^warning: SECRET isn’t set/],
  [{ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, /^warning: METRICS_HOST is 0\.0\.0\.0/],
  [{ NODE_ENV: '', HOST: '0.0.0.0', PUBLIC_URL: '' }, /^warning: HOST is 0\.0\.0\.0/],
  [{ TRUST_PROXI: 'x', TRUST_PROXY: '' }, /^warning: Unknown variable TRUST_PROXI/],
])('settings %j are pointed out', (env, text) => {
  expect(judge({ ...production, ...(env as Record<string, string>) })).toContainEqual(expect.stringMatching(text))
})

it('a mail server that refuses the login is distinguished from one that is down', async () => {
  const strict = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('Bad login'), { responseCode: 535 })),
  })
  const config = readConfig({ ...wellEnv, SMTP_URL: `smtp://user:secret@127.0.0.1:${strict.port}` })
  const found = badOf(await checkMail(config, null, quietLog))
  await strict.close()
  expect(found).toEqual([
    expect.stringMatching(/Can’t log in to the mail server .*535.*Check user and password in SMTP_URL/),
  ])
  expect(found.join('')).not.toContain('secret')
})

describe('the public address', () => {
  const judge = async (listener: RequestListener) => {
    const PUBLIC_URL = await startWeb(listener)
    return badOf(await checkPublicUrl(readConfig({ ...wellEnv, PUBLIC_URL })))
  }
  const healthy = (url: string | undefined) => url === '/healthz'

  it.each<[string, RequestListener, RegExp]>([
    ['something else answers', (_, answer) => answer.end('Welcome to nginx!'), /returned 200, not from Lectern/],
    [
      'it leads elsewhere',
      (_, answer) => answer.writeHead(301, { location: 'https://b.example/' }).end(),
      /redirects to https:\/\/b\.example/,
    ],
    [
      'uploads are too large for the proxy',
      ({ url }, answer) => answer.writeHead(healthy(url) ? 200 : 413).end('{"status":"ok"}'),
      /An upload of 251 MB is rejected before it reaches Lectern. .*client_max_body_size 251m/,
    ],
    [
      'its clock is wrong',
      ({ url }, answer) => {
        answer.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString())
        answer.writeHead(healthy(url) ? 200 : 401).end('{"status":"ok"}')
      },
      /The clock of the web server is 3\d{3} s behind this machine’s/,
    ],
  ])('fails where %s', async (_why, listener, text) => {
    expect(await judge(listener)).toEqual([expect.stringMatching(text)])
  })
})

it('a clock may be some seconds apart', () => {
  const compare = (apartMs: number) => compareClocks('it', new Date(1_000_000 + apartMs), 999_900, 1_000_100)
  const kinds = ['ok', 'ok', 'warning', 'failure'].map((kind) => ({ kind }))
  expect([0, 5_000, -30_000, 120_000].map(compare)).toMatchObject(kinds)
})
