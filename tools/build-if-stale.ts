import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  // Not needed where the pages are built, as after an installation without it.
  const vite = await import('vite').catch(() => null)
  if (vite === null) {
    process.stderr.write(
      'The pages are not built, or by another version, and what builds them is not installed: development dependencies\n' +
        'were left out, by NODE_ENV=production or --omit=dev. Run `npm ci --include=dev && npm run build` first; afterwards\n' +
        '`npm prune --omit=dev` may take them away again.\n',
    )
    process.exit(1)
  }
  process.stdout.write('Building the pages …\n')
  await vite.build({ root: join(root, 'web'), logLevel: 'warn' })
  writeFileSync(stamp, current)
}
