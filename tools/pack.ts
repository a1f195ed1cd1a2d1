import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes `lib/`, which `npm pack` packs: the pages, and JavaScript of what runs. Node reads no TypeScript below
 * node_modules. Types are blanked out, so that lines and columns in traces are those of the sources.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const lib = join(root, 'lib')
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
  const entries = path.endsWith('.ts') ? null : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
  if (!entries) return [path]
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

rmSync(lib, { recursive: true, force: true })
for (const path of sources.flatMap(listFiles)) {
  if (isLeftOut(path)) continue
  const target = join(lib, path)
  mkdirSync(dirname(target), { recursive: true })
  if (!path.endsWith('.ts')) cpSync(join(root, path), target)
  else if (!path.endsWith('.d.ts')) {
    const code = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'))
    writeFileSync(target.replace(/\.ts$/, '.js'), code.replace(ownModule, '$1$2.js$1'))
  }
}
cpSync(join(root, 'dist', 'web'), join(lib, 'dist', 'web'), { recursive: true })
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeFileSync(join(lib, 'package.json'), `${JSON.stringify({ type: 'module', version })}\n`)
