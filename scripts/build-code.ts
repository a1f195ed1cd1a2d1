import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { code, fingerprint, isBuilt, listFiles, root, stamp } from './built.js'

/**
 * Builds `lib/`, the JavaScript that `npm start` runs and `npm pack` packs. Node does not load TypeScript below
 * node_modules, and elsewhere keeps the type stripper in memory. Types are replaced by blanks, so that stack traces
 * have the positions of the sources.
 */
const isLeftOut = (path: string) =>
  /(^|[\\/])package\.json$|build-code\.ts$|\.test\.ts$|[\\/]test(?:ing)?[\\/]|tsconfig\.json$/.test(path)
/** Matches the paths of own modules in imports, and of files started as a process or thread. */
const ownModule = /(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g

export function buildCodeIfStale(): void {
  if (isBuilt(code)) return
  const next = join(root, `${code.folder}-${process.pid}`)
  // Without this, each run warns that type stripping is experimental.
  process.removeAllListeners('warning')
  for (const file of code.sources.flatMap((name) => listFiles(join(root, name)))) {
    const path = relative(root, file)
    if (!isLeftOut(path)) write(file, join(next, path))
  }
  const { type, version, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(next, 'package.json'), `${JSON.stringify({ type, version, peerDependencies })}\n`)
  writeFileSync(join(next, stamp), fingerprint(code))
  replaceFolder(join(root, code.folder), next)
}

/**
 * Swaps the folders by renaming, because a server may run from the old one, and another start may build simultaneously.
 */
export function replaceFolder(folder: string, next: string): void {
  const former = `${next}-former`
  if (existsSync(folder)) renameUnlessOthersDid(folder, former)
  renameUnlessOthersDid(next, folder)
  for (const rest of [former, next]) rmSync(rest, { recursive: true, force: true })
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

if (import.meta.main) buildCodeIfStale()
