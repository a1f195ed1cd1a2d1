import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Checks the size of the built pages, in kB of 1,000 bytes. */
const pages = fileURLToPath(new URL('../dist/web/', import.meta.url))

function measureInitialScripts(): number {
  const html = readFileSync(join(pages, 'index.html'), 'utf8')
  const tags = /<(?:script[^>]*\ssrc|link rel="modulepreload"[^>]*href)="([^"]+)"/g
  const sizes = [...html.matchAll(tags)].map(([, path = '']) => gzipSync(readFileSync(join(pages, path))).length)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function measureFonts(): number {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.woff2'))
  return files.reduce((sum, name) => sum + statSync(join(pages, name)).size, 0)
}

const sizes = [
  { title: 'Scripts that every page loads, gzipped', bytes: measureInitialScripts(), maxKb: 120 },
  { title: 'All fonts', bytes: measureFonts(), maxKb: 80 },
]
for (const { title, bytes, maxKb } of sizes) {
  process.stdout.write(`${title}: ${(bytes / 1000).toFixed(1)} kB of at most ${maxKb} kB\n`)
}
process.exitCode = sizes.some(({ bytes, maxKb }) => bytes > maxKb * 1000) ? 1 : 0
