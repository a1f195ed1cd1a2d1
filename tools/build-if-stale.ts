import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCodeIfStale, fingerprint } from './build-code.ts'

/** Builds pages and code unless the last build was made from the very same sources. */
const root = fileURLToPath(new URL('../', import.meta.url))
const stamp = join(root, 'dist/web/.built-from')

const current = fingerprint(['web', 'contract', 'package-lock.json'])
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
buildCodeIfStale()
