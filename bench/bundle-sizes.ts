import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

export type BundleSizes = { name: string; files: number; bytes: number; gzipBytes: number | null }[]

const pages = fileURLToPath(new URL('../dist/web/', import.meta.url))

/** What a browser loads before it shows anything, and all fonts there are. Null while the pages are not built. */
export function measureBundle(): BundleSizes | null {
  const index = join(pages, 'index.html')
  if (!existsSync(index)) return null
  const html = readFileSync(index, 'utf8')
  const find = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, path]) => join(pages, path ?? ''))
  const scripts = [...find(/<script[^>]*\ssrc="([^"]+)"/g), ...find(/<link rel="modulepreload"[^>]*href="([^"]+)"/g)]
  const styles = find(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)
  const preloaded = find(/<link rel="preload"[^>]*as="font"[^>]*href="([^"]+)"/g)
  const all = readdirSync(pages, { recursive: true, encoding: 'utf8' }).map((name) => join(pages, name))
  return [
    sum('Initial JavaScript (index.html and its module preloads)', scripts, true),
    sum('Initial CSS', styles, true),
    sum(
      'All JavaScript',
      all.filter((name) => name.endsWith('.js')),
      true,
    ),
    sum('Fonts that index.html preloads', preloaded, false),
    sum(
      'All fonts',
      all.filter((name) => name.endsWith('.woff2')),
      false,
    ),
  ]
}

/** Fonts are compressed already. */
function sum(name: string, files: string[], isCompressible: boolean): BundleSizes[number] {
  const total = (sizeOf: (file: string) => number) => files.reduce((bytes, file) => bytes + sizeOf(file), 0)
  const gzipBytes = isCompressible ? total((file) => gzipSync(readFileSync(file)).length) : null
  return { name, files: files.length, bytes: total((file) => statSync(file).size), gzipBytes }
}
