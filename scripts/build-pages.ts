import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import { replaceFolder } from './build-code.ts'
import { fingerprint, isBuilt, pages, readStamp, root, stamp } from './built.js'

/** Marks the stamp of pages with maximum compression. */
const smallest = ' smallest'

/**
 * Builds `dist/web`, which every server sends. Ends the process if the build is impossible.
 * @param isSmallest uses maximum compression, which takes ten times as long, for packages, which are downloaded more
 * often than built.
 */
export async function buildPagesIfStale(isSmallest: boolean): Promise<void> {
  if (isBuilt(pages) && (!isSmallest || readStamp(pages).endsWith(smallest))) return
  // Vite may be missing where the pages are built already.
  const vite = await import('vite').catch(() => null)
  if (vite === null) {
    return end(
      'The pages are not built, or by another version, and what builds them is not installed: development dependencies\n' +
        'were left out, by NODE_ENV=production or --omit=dev. Run `npm ci --include=dev && npm run build` first; afterwards\n' +
        '`npm prune --omit=dev` may take them away again.',
    )
  }
  const { compression, defineAlgorithm } = await import('vite-plugin-compression2')
  const current = fingerprint(pages)
  const next = join(root, `${pages.folder}-${process.pid}`)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: isSmallest ? constants.BROTLI_MAX_QUALITY : 5 } }
  const build = vite.build({
    root: join(root, 'web'),
    build: { outDir: next },
    plugins: [
      // Each text file gets a .br and a .gz, so that the server never compresses while serving.
      compression({
        include: /\.(html|m?js|css|svg|webmanifest|txt)$/,
        threshold: 0,
        algorithms: ['gzip', defineAlgorithm('brotliCompress', brotli)],
        logLevel: 'silent',
      }),
    ],
    logLevel: 'error',
  })
  await build.catch(({ message }: Error) => end(message))
  writeFileSync(join(next, stamp), `${current}${isSmallest ? smallest : ''}`)
  replaceFolder(join(root, pages.folder), next)
}

function end(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

if (import.meta.main) {
  // The server that waited for this build has ended.
  const giveUp = () => process.exit(1)
  process.once('disconnect', giveUp)
  await buildPagesIfStale(false)
  process.off('disconnect', giveUp)
  process.disconnect?.()
}
