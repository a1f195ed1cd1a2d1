import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Builds the pages unless the last build was made from the very same sources. Compares contents rather than times,
 * which a checkout sets anew.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const stamp = join(root, 'dist/web/.built-from')

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)))
}

function fingerprint(): string {
  const hash = createHash('sha256')
  for (const path of ['web', 'contract', 'package-lock.json'].flatMap((name) => listFiles(join(root, name)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0')
  }
  return hash.digest('hex')
}

const current = fingerprint()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  process.stdout.write('Building the pages …\n')
  await build({ root: join(root, 'web'), logLevel: 'warn' })
  writeFileSync(stamp, current)
}
