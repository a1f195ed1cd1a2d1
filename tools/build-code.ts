import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
const stamp = join(lib, '.built-from')
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
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  rmSync(lib, { recursive: true, force: true })
  // Each run would say that stripping types is experimental.
  process.removeAllListeners('warning')
  for (const file of sources.flatMap((name) => listFiles(join(root, name)))) {
    const path = relative(root, file)
    if (!isLeftOut(path)) write(file, join(lib, path))
  }
  if (pagesStamp.length > 0) cpSync(pages, join(lib, 'dist', 'web'), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(lib, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`)
  writeFileSync(stamp, current)
}

function write(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  if (!file.endsWith('.ts')) cpSync(file, target)
  else if (!file.endsWith('.d.ts')) {
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    writeFileSync(target.replace(/\.ts$/, '.js'), code.replace(ownModule, '$1$2.js$1'))
  }
}
