import { findCircle, measureBundle } from './bundle-sizes.ts'

/** Part of `npm test`: the built pages stay light, and no scripts wait for one another. In kB of 1,000 bytes, scripts gzipped. */
const limitsKb = { initialScripts: 120, fonts: 80 }

const bundle = measureBundle()
if (bundle === null) throw new Error('The pages are not built: npm run build')
let isWithin = true
for (const [name, limitKb] of Object.entries(limitsKb) as [keyof typeof limitsKb, number][]) {
  const { title, bytes, gzipBytes } = bundle[name]
  const kb = (gzipBytes ?? bytes) / 1000
  isWithin &&= kb <= limitKb
  process.stdout.write(`${title}: ${kb.toFixed(1)} kB of at most ${limitKb} kB\n`)
}
const circle = findCircle()
if (circle) process.stdout.write(`Scripts import one another: ${circle.join(' → ')}\n`)
process.exitCode = isWithin && !circle ? 0 : 1
