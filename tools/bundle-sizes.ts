import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** `gzipBytes` is null for what is compressed already. */
type BundlePart = { title: string; files: number; bytes: number; gzipBytes: number | null }
export type BundleSizes = Record<
  'initialScripts' | 'initialStyles' | 'scripts' | 'preloadedFonts' | 'fonts',
  BundlePart
>

const pages = fileURLToPath(new URL('../dist/web/', import.meta.url))

/** What a browser loads before it shows anything, and all there is. Null while the pages are not built. */
export function measureBundle(): BundleSizes | null {
  const index = join(pages, 'index.html')
  if (!existsSync(index)) return null
  const html = readFileSync(index, 'utf8')
  const find = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, path]) => join(pages, path ?? ''))
  const all = readdirSync(pages, { recursive: true, encoding: 'utf8' }).map((name) => join(pages, name))
  const ending = (extension: string) => all.filter((name) => name.endsWith(extension))
  return {
    initialScripts: measure(
      'Initial JavaScript (index.html and its module preloads)',
      [...find(/<script[^>]*\ssrc="([^"]+)"/g), ...find(/<link rel="modulepreload"[^>]*href="([^"]+)"/g)],
      'compressible',
    ),
    initialStyles: measure('Initial CSS', find(/<link rel="stylesheet"[^>]*href="([^"]+)"/g), 'compressible'),
    scripts: measure('All JavaScript', ending('.js'), 'compressible'),
    preloadedFonts: measure(
      'Fonts that index.html preloads',
      find(/<link rel="preload"[^>]*as="font"[^>]*href="([^"]+)"/g),
      'compressed',
    ),
    fonts: measure('All fonts', ending('.woff2'), 'compressed'),
  }
}

/** Scripts of the built pages that import one another, which run in an order that nobody chose. */
export function findCircle(): string[] | null {
  const folder = join(pages, 'assets')
  const importsOf = (name: string) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(
      ([, imported = '']) => imported,
    )
  const seen = new Set<string>()
  function follow(name: string, path: string[]): string[] | null {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (seen.has(name)) return null
    seen.add(name)
    for (const imported of importsOf(name)) {
      const circle = follow(imported, [...path, name])
      if (circle) return circle
    }
    return null
  }
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const circle = follow(name, [])
    if (circle) return circle
  }
  return null
}

function measure(title: string, files: string[], kind: 'compressible' | 'compressed'): BundlePart {
  const total = (sizeOf: (file: string) => number) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
  const gzipBytes = kind === 'compressible' ? total((file) => gzipSync(readFileSync(file)).length) : null
  return { title, files: files.length, bytes: total((file) => statSync(file).size), gzipBytes }
}
