// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What is built, from which sources. Plain JavaScript, because `npm start` runs it in the server's process: the part of
 * Node that strips types would stay in memory.
 *
 * @typedef {{ folder: string, sources: string[] }} Build `folder` and `sources` are paths in the repository.
 */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** @type {Build} */
export const pages = { folder: 'dist/web', sources: ['web', 'packages/contract', 'package-lock.json'] }

const commands = ['demo', 'lectern'].map((name) => `scripts/${name}.ts`)
/** @type {Build} */
export const code = {
  folder: 'lib',
  sources: ['packages', 'server', 'scripts/demo', ...commands, 'package.json', 'scripts/build-code.ts'],
}

/** Where a build notes the fingerprint of its sources. */
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
 * Whether the last build was made from the very same sources.
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
      // What packages build of themselves.
      .filter((name) => name !== 'dist' && name !== 'node_modules')
      .sort()
      .flatMap((name) => listFiles(join(path, name)))
  )
}
