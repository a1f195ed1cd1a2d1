import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `lib/`, which `npm start` runs and `npm pack` packs: JavaScript of what runs, and the pages. Node reads no TypeScript
 * below node_modules, and elsewhere keeps in memory what strips types. Types are blanked out, so that lines and columns
 * in traces are those of the sources.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const lib = join(root, 'lib')
const pages = join(root, 'dist', 'web')
const stamp = '.built-from'
const sources = [
  'contract',
  'server',
  'tools/admin',
  'tools/demo',
  ...['admin', 'demo', 'lectern', 'progress'].map((name) => `tools/${name}.ts`),
]
const isLeftOut = (path: string) => /\.test\.ts$|[\\/]test[\\/]|tsconfig\.json$/.test(path)
/** In imports, and where a file is named for a process or a thread. */
const ownModule = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)))
}

/** Of contents rather than times, which a checkout sets anew. @param names files and folders of the repository. */
export function fingerprint(names: string[]): string {
  const hash = createHash('sha256')
  for (const path of names.flatMap((name) => listFiles(join(root, name)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Unless the last build was made from the very same sources. Without pages where they are not built. */
export function buildCodeIfStale(): void {
  const pagesStamp = existsSync(join(pages, '.built-from')) ? ['dist/web/.built-from'] : []
  const current = fingerprint([...sources, 'package.json', 'tools/build-code.ts', ...pagesStamp])
  const built = join(lib, stamp)
  if (existsSync(built) && readFileSync(built, 'utf8') === current) return
  const next = `${lib}-${process.pid}`
  // Each run would say that stripping types is experimental.
  process.removeAllListeners('warning')
  for (const file of sources.flatMap((name) => listFiles(join(root, name)))) {
    const path = relative(root, file)
    if (!isLeftOut(path)) write(file, join(next, path))
  }
  if (pagesStamp.length > 0) cpSync(pages, join(next, 'dist', 'web'), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(next, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`)
  writeFileSync(join(next, stamp), current)
  replaceBy(next)
}

/** At once, since a server may run from what is there, and another start may do the same. */
function replaceBy(next: string): void {
  const former = `${next}-former`
  if (existsSync(lib)) renameUnlessOthersDid(lib, former)
  renameUnlessOthersDid(next, lib)
  for (const folder of [former, next]) rmSync(folder, { recursive: true, force: true })
}

function renameUnlessOthersDid(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
}

function write(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  if (!file.endsWith('.ts')) cpSync(file, target)
  else if (!file.endsWith('.d.ts')) {
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    writeFileSync(target.replace(/\.ts$/, '.js'), code.replace(ownModule, '$1$2.js$1'))
  }
}
