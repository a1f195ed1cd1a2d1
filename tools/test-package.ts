import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { academicYears } from '../contract/limits.ts'
import { note as noteSchema, notesAnswer } from '../contract/notes.ts'
import { loginAnswer } from '../contract/sessions.ts'
import { onePagePdf } from '../server/test/pdf.ts'

/**
 * `npm run package`: packs Lectern, installs the tarball as somebody would who has never seen the sources, and uses
 * it: help, a start, a page, a registration, an upload whose picture is drawn, a backup, an end. Apart from `npm test`, since it
 * installs everything again. Prints what is installed.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'lectern package '))
const dataDir = join(folder, 'data')
const bin = join(folder, 'prefix', process.platform === 'win32' ? 'lectern.cmd' : 'bin/lectern')
/** Nothing of the repository, and no more than one finds on a machine. */
const env: NodeJS.ProcessEnv = { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_ENV: 'development' }
delete env.NODE_OPTIONS

async function run(command: string, args: string[], cwd = folder): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed}`)
  return printed
}

/** Resolves to what the group of the pattern matches in the server's output. */
function untilPrinted(server: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stdout?.on('data', (chunk) => {
      printed += chunk
      const found = pattern.exec(printed)?.[1]
      if (found) resolve(found)
    })
    server.once('close', (code) => reject(new Error(`${server.spawnargs.join(' ')} ended with ${code}:\n${printed}`)))
  })
}

function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Failed: ${what}`)
  process.stdout.write(`  ✓ ${what}\n`)
}

/** Registers, uploads and waits, as a student's browser does. */
async function isDrawn(url: string): Promise<boolean> {
  const account = { name: 'Ada', email: 'ada@uni.example', password: 'Marigold desk 42!' }
  await post(url, '/api/users/', { ...account, confirmPassword: account.password })
  const link = await until(async () => {
    const [mail] = await readdir(join(dataDir, 'outbox')).catch(() => [])
    return mail && /^X-Lectern-Link:\s+(\S+)/m.exec(await readFile(join(dataDir, 'outbox', mail), 'utf8'))?.[1]
  })
  await post(url, '/api/users/verify', { token: new URL(link).searchParams.get('token') })
  const { accessToken } = loginAnswer.parse(await (await post(url, '/api/users/login', account)).json())
  const headers = { authorization: `Bearer ${accessToken}` }
  const form = new FormData()
  const [academicYear = ''] = academicYears(new Date(), 8)
  for (const [name, value] of Object.entries({ courseCode: 'MAT137', academicYear, isAnonymous: 'true' })) {
    form.set(name, value)
  }
  form.set('note', new Blob([new Uint8Array(onePagePdf)], { type: 'application/pdf' }), 'week 1.pdf')
  const uploaded = await fetch(`${url}/api/notes`, { method: 'POST', headers, body: form })
  const [note] = notesAnswer.parse(await uploaded.json()).notes
  const { document } = await until(async () => {
    const answer = noteSchema.parse(await (await fetch(`${url}/api/notes/${note?._id}`, { headers })).json())
    return answer.document.isProcessing ? undefined : answer
  })
  return document.thumbnail !== null
}

const post = (url: string, path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function until<T>(find: () => Promise<T | undefined | ''>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

try {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  await run('npm', [
    'install',
    '--global',
    '--prefix',
    join(folder, 'prefix'),
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(folder, tarball),
  ])
  const modules = join(folder, 'prefix', process.platform === 'win32' ? '' : 'lib', 'node_modules')
  process.stdout.write(`${await run('du', ['-sh', '--', join(folder, tarball), modules])}`)
  const listed = await run('npm', ['ls', '--global', '--prefix', join(folder, 'prefix'), '--all', '--parseable'])
  process.stdout.write(`${new Set(listed.trim().split('\n')).size - 2} dependencies\n`)

  check((await run(bin, ['--help'])).includes('lectern start'), 'lectern --help says what there is')
  const server = spawn(bin, ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await untilPrinted(server, /Lectern is open at (http:\S+)/)
    const page = await fetch(url)
    check(page.ok && (await page.text()).includes('<div id="root"'), 'the pages are served')
    check((await fetch(`${url}/readyz`)).ok, 'database and storage answer')
    check(await isDrawn(url), 'a PDF that is uploaded is read and its first page drawn')
    await run(bin, ['admin', 'backup', join(folder, 'backup.tar')])
    check(readdirSync(folder).includes('backup.tar'), 'lectern admin keeps a backup beside it')
  } finally {
    const ended = new Promise((resolve) => server.once('close', resolve))
    server.kill('SIGTERM')
    check((await ended) === 0, 'SIGTERM ends it in order')
  }
  const demoEnv = { ...env, DATA_DIR: join(folder, 'demo') }
  const demo = spawn(bin, ['demo'], { cwd: folder, env: demoEnv, stdio: ['ignore', 'pipe', 'inherit'] })
  const demoEnded = new Promise((resolve) => demo.once('close', resolve))
  try {
    const email = await untilPrinted(demo, /^ *e-mail +(\S+)$/m)
    check(email.endsWith('@student.example'), 'lectern demo fills a library without what typesets its notes')
  } finally {
    demo.kill('SIGTERM')
    await demoEnded
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
