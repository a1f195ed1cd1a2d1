import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Note } from '../packages/contract/notes.ts'
import { buildPdf } from '../packages/pdfium/test/build-pdf.ts'
import { demoPassword } from './demo/fill-library.ts'

/**
 * `npm run package`: packs Lectern, installs the tarball without the sources and tests it: help, a start, a page, a
 * backup, a stop, and the demo until its first thumbnail. Prints the number of dependencies. The packages of
 * `packages/` are installed separately.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'lectern package '))
const dataDir = join(folder, 'data')
const bin = join(folder, 'prefix/bin/lectern')
const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
const env: NodeJS.ProcessEnv = { ...process.env, PORT: '0', DATA_DIR: dataDir, NODE_ENV: 'development' }
delete env.NODE_OPTIONS

const run = async (command: string, args: string[], cwd = folder): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout

/** Resolves to the pattern's group in the server's output. */
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

/** Installs the packages in an empty folder, as other projects use them. */
async function tryPackages(): Promise<void> {
  const place = join(folder, 'packages alone')
  mkdirSync(place)
  await run('npm', ['pack', '--silent', '--workspaces', '--pack-destination', place], root)
  const tarballs = readdirSync(place).map((name) => join(place, name))
  await run('npm', ['install', '--prefix', place, ...quiet, ...tarballs], place)
  const link = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://uni.example/~ada)>>>>'
  const names = { objects: ['<</Author(Ada Lovelace)>>'], trailer: '/Info 6 0 R', page: `/Annots[${link}]` }
  writeFileSync(join(place, 'in.pdf'), buildPdf(names))
  const command = join(place, 'node_modules/.bin/pdf-anonymiser')
  const said = await run(command, ['in.pdf', 'out.pdf', '--name', 'Ada Lovelace', '--email', 'ada@uni.example'], place)
  const isClean = !/ada/i.test(readFileSync(join(place, 'out.pdf'), 'latin1'))
  check(isClean && said.includes('because of a name: 1'), 'pdf-anonymiser cleans a file with one command')
  const again = await run(command, ['in.pdf', 'out.pdf'], place).catch((error: Error) => error)
  check(again instanceof Error, 'and overwrites none')
  const script = `import { readFileSync } from 'node:fs'
    import { withPdfium } from '@lectern/pdfium'
    const count = ({ open }) => open(readFileSync('out.pdf')).pageCount
    console.log(await withPdfium(2 ** 28, count))`
  check(
    (await run(process.execPath, ['--input-type=module', '-e', script], place)).trim() === '1',
    '@lectern/pdfium opens what it wrote',
  )
}

/** Returns whether the first note of the demo library gets a thumbnail. */
async function isDrawn(url: string, email: string): Promise<boolean> {
  const ask = async (path: string, options: RequestInit): Promise<{ accessToken: string; notes: Note[] }> =>
    JSON.parse(await (await fetch(url + path, options)).text())
  const body = JSON.stringify({ email, password: demoPassword })
  const type = { 'content-type': 'application/json' }
  const { accessToken } = await ask('/api/users/login', { method: 'POST', headers: type, body })
  for (;;) {
    const { notes } = await ask('/api/notes', { headers: { authorization: `Bearer ${accessToken}` } })
    if (notes[0]?.document.isProcessing === false) return notes[0].document.thumbnail !== null
    await setTimeout(200)
  }
}

try {
  await tryPackages()
  await run('npm', ['pack', '--silent', '--pack-destination', folder], root)
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const options = ['--global', '--prefix', join(folder, 'prefix')]
  await run('npm', ['install', ...options, ...quiet, join(folder, tarball)])
  const modules = join(folder, 'prefix/lib/node_modules')
  process.stdout.write(`${await run('du', ['-sh', '--', join(folder, tarball), modules])}`)
  const listed = await run('npm', ['ls', ...options, '--all', '--parseable'])
  process.stdout.write(`${new Set(listed.trim().split('\n')).size - 2} dependencies\n`)

  check((await run(bin, ['--help'])).includes('lectern start'), 'lectern --help lists the commands')
  const server = spawn(bin, ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await untilPrinted(server, /Lectern is running at (http:\S+)/)
    const page = await fetch(url)
    check(page.ok && (await page.text()).includes('<div id="root"'), 'the pages are served')
    check((await fetch(`${url}/readyz`)).ok, 'database and storage answer')
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
    const patterns = [/Lectern is running at (http:\S+)/, /^ *email +(\S+)$/m]
    const [url = '', email = ''] = await Promise.all(patterns.map((pattern) => untilPrinted(demo, pattern)))
    check(await isDrawn(url, email), 'lectern demo fills a library and draws its pages')
  } finally {
    demo.kill('SIGTERM')
    await demoEnded
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
