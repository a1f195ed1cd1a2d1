import { readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  try {
    const [html] = await Promise.all([renderLanding(vite), build])
    writeFileSync(join(next, 'landing.html'), makeLanding(next, html))
  } catch (error) {
    end((error as Error).message)
  }
  writeFileSync(join(next, stamp), `${current}${isSmallest ? smallest : ''}`)
  replaceFolder(join(root, pages.folder), next)
}

/** Renders the landing page, so that visitors read it before a script has run. */
async function renderLanding(vite: typeof import('vite')): Promise<string> {
  // In the repository, because the file imports React.
  const folder = join(root, `dist/landing-${process.pid}`)
  try {
    await vite.build({
      root: join(root, 'web'),
      configFile: false,
      build: {
        ssr: 'app/landing-document.tsx',
        outDir: folder,
        copyPublicDir: false,
        assetsInlineLimit: 0,
        rolldownOptions: { experimental: { lazyBarrel: true } },
      },
      logLevel: 'error',
    })
    // Node prints a warning about its own storage; without any, the pages use their defaults.
    Object.defineProperty(globalThis, 'localStorage', { value: undefined })
    const built: { renderLanding(): Promise<string> } = await import(join(folder, 'landing-document.js'))
    return await built.renderLanding()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts the landing page and all styles into the built document. */
function makeLanding(folder: string, landing: string): string {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const [link = '', sheet = ''] = /<link rel="stylesheet"[^>]* href="([^"]+)">/.exec(html) ?? []
  const root = /(?<=<div id="root">).*?(?=<\/div>\s*<noscript>)/s
  if (!link || !root.test(html)) throw new Error('The built document has no stylesheet or no root')
  const styles = readFileSync(join(folder, sheet), 'utf8')
  return (
    html
      .replace(link, () => `<style>${styles}</style>`)
      .replace(root, () => landing)
      // The scripts do not delay the text and its fonts.
      .replaceAll(/<(?=script type="module"|link rel="modulepreload")[^ ]+/g, '$& fetchpriority="low"')
  )
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
