import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { makeTestFolder } from '../server/testing/data-folder.ts'

const repository = fileURLToPath(new URL('../', import.meta.url))
const bin = join(repository, 'bin/lectern.js')
const main = join(repository, 'scripts/lectern.ts')
/** Settings of a database whose server does not respond. */
const withoutServer = {
  DATABASE_URL: 'postgres://lectern@127.0.0.1:1/lectern',
  SECRET: 'q7Zr1mVw0sXb5Ke9TfYu2Hc8Jd4Gn6La',
}

async function run(file: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (said[name] += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, ...said }
}

it('lists the commands, and what each does', async () => {
  const { code, stdout } = await run(bin, ['--help'])
  expect(code).toBe(0)
  for (const name of ['start', 'worker', 'admin', 'demo']) {
    expect(stdout).toContain(`lectern ${name}`)
    const help = await run(bin, [name, '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(name === 'admin' ? 'backup FILE' : `lectern ${name}`)
  }
})

it.each([
  ['', 'lectern start'],
  ['serve', 'lectern start'],
  ['start now', 'lectern start'],
  ['admin', 'lectern admin --help'],
  ['admin explode', 'lectern admin --help'],
  ['admin backup', 'Usage: lectern admin backup FILE|FOLDER.'],
  ['admin storage lose', 'Usage: lectern admin storage adopt.'],
  ['admin verify --replace', 'verify [FILE] has no option --replace.'],
  ['admin doctor now', 'Usage: lectern admin doctor.'],
  ['admin invite --loudly', '--loudly'],
  ['admin suspend sam@uni.example --reason', '--reason'],
])('prints its usage when it is called as %j', async (args, wanted) => {
  const { code, stderr } = await run(bin, args.split(' ').filter(Boolean))
  expect(code).toBe(2)
  expect(stderr).toContain(wanted)
})

it('exits with the status of what it started, and with a separate one for wrong settings', async () =>
  expect(await run(bin, ['worker'], { DATABASE_URL: '', ROLE: '' })).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('DATABASE_URL must be set with ROLE=worker.'),
  }))

it('examines what there is, and ends with the status of what it finds', async () => {
  const { code, stdout } = await run(bin, ['admin', 'doctor'], withoutServer)
  expect(code).toBe(1)
  expect(stdout).toMatch(/FAIL .*The server in DATABASE_URL isn’t responding .*ECONNREFUSED/)
})

it.skipIf(process.platform !== 'linux')('is the server itself, with the flags of npm start', async () => {
  const env = { ...process.env, PORT: '0', DATABASE_URL: 'postgres://no-host.invalid/lectern', SECRET: 'x'.repeat(32) }
  const dataDir = await makeTestFolder()
  const child = spawn(process.execPath, [bin, 'start'], { env: { ...env, DATA_DIR: dataDir } })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const readCommand = async () => (await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).split('\0')
    await expect.poll(readCommand, { timeout: 30_000 }).toContain(main)
    const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const [, ...flags] = scripts.start.replace(/ scripts\/.*/, '').split(' ')
    const command = await readCommand()
    expect(command.slice(1, command.indexOf(main))).toEqual(flags)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})

it.skipIf(process.platform !== 'linux')('ends with its parent on a Node that cannot replace a process', async () => {
  const dataDir = await makeTestFolder()
  const env = { ...process.env, DATABASE_URL: 'postgres://no-host.invalid/lectern', SECRET: 'x'.repeat(32), PORT: '0' }
  for (const command of [['start'], ['admin', 'verify']]) {
    const flags = ['--import', 'data:text/javascript,delete process.execve']
    const wrapper = spawn(process.execPath, [...flags, bin, ...command], { env: { ...env, DATA_DIR: dataDir } })
    const readChild = async () =>
      Number(await readFile(`/proc/${wrapper.pid}/task/${wrapper.pid}/children`, 'utf8').catch(() => ''))
    await expect.poll(readChild).toBeGreaterThan(0)
    const child = await readChild()
    wrapper.kill('SIGKILL')
    const isThere = () => existsSync(`/proc/${child}/cmdline`) && readFileSync(`/proc/${child}/cmdline`).length > 0
    await expect.poll(isThere).toBe(false)
  }
})

it('reports what is wrong with a command as plain text, also in production', async () => {
  const env = { NODE_ENV: 'production', SMTP_URL: 'smtps://', MAIL_FROM: 'a@b.example' }
  const { code, stderr } = await run(bin, ['admin', 'verify'], env)
  expect([code, stderr]).toEqual([78, expect.stringMatching(/^SMTP_URL must name a host/m)])
  expect(stderr).not.toContain('{')
})

it('prints only lines of JSON in production, a misspelt variable included', async () => {
  const env = { NODE_ENV: 'production', SMTP_URL: 'smtps://', MAIL_FROM: 'a@b.example', DATABSE_URL: 'postgres://db/x' }
  const { code, stdout, stderr } = await run(bin, ['start'], env)
  const read = (text: string) => JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`)
  expect(code).toBe(78)
  expect(read(stdout)).toMatchObject([{ level: 30, msg: expect.stringContaining('Did you mean DATABASE_URL?') }])
  expect(read(stderr)).toMatchObject([{ level: 60, msg: expect.stringContaining('SMTP_URL must name a host') }])
})

/**
 * Copies Lectern without some packages.
 * @returns the folder.
 */
async function installWithout(...missing: string[]): Promise<string> {
  const root = await makeTestFolder()
  for (const name of ['bin', 'packages', 'scripts', 'server', 'package.json']) {
    await cp(join(repository, name), join(root, name), { recursive: true })
  }
  const packages = await readdir(join(repository, 'node_modules'))
  await mkdir(join(root, 'node_modules'))
  for (const name of packages.filter((one) => !missing.includes(one))) {
    await symlink(join(repository, 'node_modules', name), join(root, 'node_modules', name))
  }
  return root
}

it('names what sends traces where it is not installed and traces are to be sent', async () => {
  const root = await installWithout('@opentelemetry')
  const traces = { DATA_DIR: join(root, 'data'), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const env = { ...withoutServer, ...traces }
  const { code, stderr } = await run(join(root, 'bin/lectern.js'), ['start'], env)
  expect(code).toBe(78)
  expect(stderr).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT is set, but .* npm install "@opentelemetry\/api@\^1\.\S+ .*\n$/)
  expect(stderr).toContain('"@opentelemetry/sdk-trace@^')
})

it('reports a package that is missing, or its program for this system', async () => {
  const root = await installWithout('pg')
  for (const args of [['start'], ['admin', 'doctor']]) {
    const { code, stderr } = await run(join(root, 'bin/lectern.js'), args)
    expect(code).toBe(78)
    expect(stderr).toMatch(/^The installation is incomplete \(.*'pg'.*\)\. Install Lectern again, .*\n$/)
  }
  const elsewhere = await installWithout('@node-rs')
  const argon2 = 'node_modules/@node-rs/argon2'
  await cp(join(repository, argon2), join(elsewhere, argon2), { recursive: true })
  const env = { ...withoutServer, DATA_DIR: join(elsewhere, 'data') }
  const { code, stderr } = await run(join(elsewhere, 'bin/lectern.js'), ['start'], env)
  expect(code).toBe(78)
  expect(stderr).toMatch(
    /^The installation is incomplete \(Cannot find native binding\)\. Install Lectern again, .*\n$/,
  )
})

it('starts built pages without the build tools, and reports what is missing for a build', async () => {
  const root = await makeTestFolder()
  const folders = ['web', 'packages/contract', 'server', 'scripts/demo', 'dist/web']
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
  const files = ['build.ts', 'built.js', 'demo.ts', 'lectern.ts']
  for (const name of files) await cp(join(repository, 'scripts', name), join(root, 'scripts', name))
  await writeFile(join(root, 'package.json'), '{ "type": "module", "version": "1.2.3" }')
  await writeFile(join(root, 'package-lock.json'), '{}')
  const build = () => run(join(root, 'scripts/build.ts'), [])
  const { code, stderr } = await build()
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm ci --include=dev && npm run build')])
  expect(stderr).not.toContain('node:internal')

  // A build of only an empty lock file leaves this stamp.
  const script = await readFile(join(root, 'scripts/build.ts'), 'utf8')
  const sources = `package-lock.json\0{}\0scripts/build.ts\0${script}\0`
  const stamp = createHash('sha256').update(sources).digest('hex')
  await writeFile(join(root, 'dist/web/.built-from'), stamp)
  expect(await build()).toEqual({ code: 0, stdout: '', stderr: '' })
  // The code is rebuilt only after a source has changed.
  const built = join(root, 'lib/scripts/demo.js')
  expect(await readFile(built, 'utf8')).toContain('export async function runDemo')
  await writeFile(built, '')
  await build()
  expect(await readFile(built, 'utf8')).toBe('')
  await writeFile(join(root, 'server/new.ts'), 'export const one: number = 1\n')
  // A server and a worker in one folder can build simultaneously.
  expect(await Promise.all([build(), build(), build()])).toEqual(Array(3).fill({ code: 0, stdout: '', stderr: '' }))
  expect((await readdir(root)).filter((name) => name.startsWith('lib'))).toEqual(['lib'])
  expect(await readFile(join(root, 'lib/server/new.js'), 'utf8')).toBe('export const one         = 1\n')
  expect(await readFile(built, 'utf8')).toContain('export async function runDemo')
})
