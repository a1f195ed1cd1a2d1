import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Checks the size of the built pages, in kB of 1,000 bytes, and that no scripts import one another. */
const pages = fileURLToPath(new URL('../dist/web/', import.meta.url))
const assets = join(pages, 'assets')

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

/** Finds scripts that import one another, whose order of execution is undefined. */
function findCycle(): string[] | null {
  const seen = new Set<string>()
  function follow(name: string, path: string[]): string[] | null {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (seen.has(name)) return null
    seen.add(name)
    const imports = readFileSync(join(assets, name), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)
    for (const [, imported = ''] of imports) {
      const cycle = follow(imported, [...path, name])
      if (cycle) return cycle
    }
    return null
  }
  for (const name of readdirSync(assets).filter((each) => each.endsWith('.js'))) {
    const cycle = follow(name, [])
    if (cycle) return cycle
  }
  return null
}

const sizes = [
  { title: 'Scripts that every page loads, gzipped', bytes: measureInitialScripts(), maxKb: 120 },
  { title: 'All fonts', bytes: measureFonts(), maxKb: 80 },
]
for (const { title, bytes, maxKb } of sizes) {
  process.stdout.write(`${title}: ${(bytes / 1000).toFixed(1)} kB of at most ${maxKb} kB\n`)
}
const cycle = findCycle()
if (cycle) process.stdout.write(`Scripts import one another: ${cycle.join(' → ')}\n`)
process.exitCode = cycle || sizes.some(({ bytes, maxKb }) => bytes > maxKb * 1000) ? 1 : 0
