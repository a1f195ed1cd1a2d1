// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The builds and their sources. It is plain JavaScript, because `npm start` loads it in the server's process, where
 * Node's type stripping would stay in memory.
 *
 * @typedef {{ folder: string, sources: string[] }} Build `folder` and `sources` are paths in the repository.
 */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** @type {Build} */
export const pages = {
  folder: 'dist/web',
  sources: ['web', 'packages/contract', 'package-lock.json', 'scripts/build.ts'],
}

const commands = ['demo', 'lectern'].map((name) => `scripts/${name}.ts`)
/** @type {Build} */
export const code = {
  folder: 'lib',
  sources: ['packages', 'server', 'scripts/demo', ...commands, 'package.json', 'scripts/build.ts'],
}

/** The file in which a build saves the hash of its sources. */
export const stamp = '.built-from'

/**
 * Hashes contents, because a checkout changes all times.
 * @param {Build} build
 */
export function fingerprint({ sources }) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((name) => listFiles(join(root, name)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @param {Build} build */
export function readStamp({ folder }) {
  const path = join(root, folder, stamp)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/**
 * Returns whether the last build was made from the current sources.
 * @param {Build} build
 */
export const isBuilt = (build) => readStamp(build).startsWith(fingerprint(build))

/**
 * @param {string} path
 * @returns {string[]}
 */
export function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path]
  return (
    readdirSync(path)
      // The output of the packages' builds.
      .filter((name) => name !== 'dist' && name !== 'node_modules')
      .sort()
      .flatMap((name) => listFiles(join(path, name)))
  )
}
