import { readFileSync, writeFileSync } from 'node:fs'

/**
 * `npm run scale:picture`: docs/scale.svg, the curves of docs/scale-figures.json. Both axes are logarithmic: a list that costs the
 * same in any library is a level line.
 */
type Figures = { notes: number; databaseBytes: number; blocks: Record<string, number> }
const figures: Figures[] = JSON.parse(readFileSync(new URL('../docs/scale-figures.json', import.meta.url), 'utf8'))
const [width, height] = [760, 420]
const frame = { left: 64, right: 240, top: 44, bottom: 56 }
// Each has dashes of its own as well, for those who tell colours badly.
const colours = ['#0072b2', '#b34700', '#00705a', '#a0457a', '#4d4d4d']

const sizes = figures.map(({ notes }) => notes)
const names = Object.keys(figures[0]?.blocks ?? {})
const range = (values: number[]) => [Math.min(...values), Math.max(...values)].map(Math.log10) as [number, number]
const [fromSize, toSize] = range(sizes)
const [lowest, highest] = range(figures.flatMap(({ blocks }) => Object.values(blocks)))
const [bottom, top] = [Math.floor(lowest), Math.ceil(highest)]

const x = (notes: number) =>
  frame.left + ((Math.log10(notes) - fromSize) / (toSize - fromSize)) * (width - frame.left - frame.right)
const y = (blocks: number) =>
  height - frame.bottom - ((Math.log10(blocks) - bottom) / (top - bottom)) * (height - frame.top - frame.bottom)
const whole = (value: number) => value.toLocaleString('en')
const text = (at: { x: number; y: number }, words: string, more = '') =>
  `<text x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" ${more}>${words}</text>`

const horizontals = Array.from({ length: top - bottom + 1 }, (_, index) => 10 ** (bottom + index)).map(
  (blocks) =>
    `<path d="M${frame.left} ${y(blocks).toFixed(1)}H${width - frame.right}" stroke="#ddd"/>` +
    text({ x: frame.left - 8, y: y(blocks) + 4 }, whole(blocks), 'text-anchor="end"'),
)
const verticals = sizes.map((notes) =>
  text({ x: x(notes), y: height - frame.bottom + 20 }, whole(notes), 'text-anchor="middle"'),
)
/** Names are moved apart where their curves end together. */
const ends = names
  .map((name, index) => ({ name, index, at: y(figures.at(-1)?.blocks[name] ?? 1) }))
  .sort((one, other) => one.at - other.at)
let last = Number.NEGATIVE_INFINITY
const curves = ends.map(({ name, index, at }) => {
  const points = figures.map(({ notes, blocks }) => `${x(notes).toFixed(1)} ${y(blocks[name] ?? 1).toFixed(1)}`)
  const colour = colours[index % colours.length]
  last = Math.max(at, last + 18)
  return (
    `<path d="M${points.join('L')}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${index * 3}"/>` +
    text({ x: width - frame.right + 10, y: last + 4 }, name, `fill="${colour}"`)
  )
})

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#333">
<title>Blocks of 8 kB that PostgreSQL reads for a page of a list, by the number of notes</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${text({ x: frame.left - 40, y: 24 }, 'Blocks of 8 kB read for one page of a list')}
${text({ x: (frame.left + width - frame.right) / 2, y: height - 12 }, 'Notes in the library', 'text-anchor="middle"')}
${[...horizontals, ...verticals, ...curves].join('\n')}
</svg>
`
writeFileSync(new URL('../docs/scale.svg', import.meta.url), svg)
