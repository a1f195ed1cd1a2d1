import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import { buildCodeIfStale, replaceFolder } from './build-code.ts'
import { fingerprint, isBuilt, pages, readStamp, root, stamp } from './built.js'

/**
 * Builds code and pages unless the last build was made from the very same sources: `npm run build`, and a child of
 * `npm start`, which is told when the code is there. With `--smallest`, the pages are compressed as well as can be, which
 * takes ten times as long: for a package, whose pages are downloaded more often than built.
 */
const isSmallest = process.argv.includes('--smallest')
const smallest = ' smallest'

/** The server that waits for this build is gone. */
const giveUp = () => process.exit(1)

process.once('disconnect', giveUp)
buildCodeIfStale()
process.send?.('code')
if (!isBuilt(pages) || (isSmallest && !readStamp(pages).endsWith(smallest))) {
  await buildPages().catch(({ message }: Error) => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  })
}
process.off('disconnect', giveUp)
process.disconnect?.()

async function buildPages(): Promise<void> {
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
  const { compression, defineAlgorithm } = await import('vite-plugin-compression2')
  const current = fingerprint(pages)
  const next = join(root, `${pages.folder}-${process.pid}`)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: isSmallest ? constants.BROTLI_MAX_QUALITY : 5 } }
  await vite.build({
    root: join(root, 'web'),
    build: { outDir: next },
    plugins: [
      // A .br and a .gz beside each text file, so that the server never compresses while serving.
      compression({
        include: /\.(html|m?js|css|svg|webmanifest|txt)$/,
        threshold: 0,
        algorithms: ['gzip', defineAlgorithm('brotliCompress', brotli)],
        logLevel: 'silent',
      }),
    ],
    logLevel: 'error',
  })
  writeFileSync(join(next, stamp), `${current}${isSmallest ? smallest : ''}`)
  replaceFolder(join(root, pages.folder), next)
}
