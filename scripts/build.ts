import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { constants } from 'node:zlib'
import { code, fingerprint, isBuilt, listFiles, pages, readStamp, root, stamp } from './built.js'

/**
 * Builds code and pages, or one of them, unless the last build had identical sources. Use `--smallest` for a package.
 *
 * `lib/` contains the JavaScript that `npm start` runs and `npm pack` packs. Node does not load TypeScript below
 * node_modules, and elsewhere keeps the type stripper in memory. Types are replaced by blanks, so that stack traces
 * have the positions of the sources.
 */
const isLeftOut = (path: string) =>
  /(^|[\\/])package\.json$|scripts[\\/]build\.ts$|\.test\.ts$|[\\/]test(?:ing)?[\\/]|tsconfig\.json$/.test(path)
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
function replaceFolder(folder: string, next: string): void {
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

/** Marks the stamp of pages with maximum compression. */
const smallest = ' smallest'

/**
 * Builds `dist/web`, which every server sends. Ends the process if the build is impossible.
 * @param isSmallest uses maximum compression, which takes ten times as long, for packages, which are downloaded more
 * often than built.
 */
export async function buildPagesIfStale(isSmallest = false): Promise<void> {
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
  // For every other value, Vite builds React's development version, which is several times slower.
  process.env.NODE_ENV = 'production'
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
        include: /\.(m?js|css|svg|webmanifest|txt)$/,
        threshold: 0,
        algorithms: ['gzip', defineAlgorithm('brotliCompress', brotli)],
        logLevel: 'silent',
      }),
    ],
    logLevel: 'error',
  })
  try {
    const [{ index, landing }] = await Promise.all([prerenderPages(vite), build])
    const html = readFileSync(join(next, 'index.html'), 'utf8')
    writeFileSync(join(next, 'index.html'), fillRoot(html, index))
    writeFileSync(join(next, 'landing.html'), withStyles(fillRoot(html, landing), next))
  } catch (error) {
    end((error as Error).message)
  }
  writeFileSync(join(next, stamp), `${current}${isSmallest ? smallest : ''}`)
  replaceFolder(join(root, pages.folder), next)
}

/** Renders what pages show before a script has run: to visitors at `/`, the whole landing page. */
async function prerenderPages(vite: typeof import('vite')): Promise<{ index: string; landing: string }> {
  // In the repository, because the file imports React.
  const folder = join(root, `dist/prerender-${process.pid}`)
  try {
    await vite.build({
      root: join(root, 'web'),
      configFile: false,
      build: {
        ssr: 'app/prerender.tsx',
        outDir: folder,
        copyPublicDir: false,
        assetsInlineLimit: 0,
        rolldownOptions: { experimental: { lazyBarrel: true } },
      },
      logLevel: 'error',
    })
    // Node prints a warning about its own storage; without any, the pages use their defaults.
    Object.defineProperty(globalThis, 'localStorage', { value: undefined })
    const { prerender } = await import(join(folder, 'prerender.js'))
    return await prerender()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fillRoot(html: string, content: string): string {
  const root = '<div id="root">'
  if (!html.includes(root)) throw new Error('The built document has no root')
  return html.replace(root, () => root + content)
}

/** Puts all styles into the document, and delays the scripts, so that its text and fonts come first. */
function withStyles(html: string, folder: string): string {
  const [link = '', sheet = ''] = /<link rel="stylesheet"[^>]* href="([^"]+)">/.exec(html) ?? []
  if (!link) throw new Error('The built document has no stylesheet')
  const styles = readFileSync(join(folder, sheet), 'utf8')
  return html
    .replace(link, () => `<style>${styles}</style>`)
    .replaceAll(/<(?=script type="module"|link rel="modulepreload")[^ ]+/g, '$& fetchpriority="low"')
}

function end(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

if (import.meta.main) {
  const parts = process.argv.slice(2)
  // The server that waited for this build has ended.
  const giveUp = () => process.exit(1)
  process.once('disconnect', giveUp)
  if (!parts.includes('pages')) buildCodeIfStale()
  if (!parts.includes('code')) await buildPagesIfStale(parts.includes('--smallest'))
  process.off('disconnect', giveUp)
  process.disconnect?.()
}
