import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

/**
 * `npm run fonts`: cuts the two families down to the characters and weights the pages use and writes them to
 * `web/fonts/`, beside their licences. To be run again when a family is updated, or when `web/styles.css` asks for more;
 * the ranges there are these.
 */
const source = fileURLToPath(new URL('../node_modules/@fontsource-variable/', import.meta.url))
const target = fileURLToPath(new URL('../web/fonts/', import.meta.url))

/** Every page needs the first; the second comes where a name, a course or a title is written with more than that. */
const subsets = {
  latin:
    'U+0020-007E, U+00A0-00FF, U+0131, U+0152-0153, U+02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212',
  'latin-ext': 'U+0100-0130, U+0132-0151, U+0154-024F, U+0259, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0',
}
const families = ['brygada-1918', 'figtree']
/** Text and emphasis. Each weight more that a page shows costs a phone some milliseconds before its first words. */
const weights = { min: 400, max: 600 }

function charactersOf(ranges: string): string {
  return ranges
    .split(', ')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
    })
    .join('')
}

await mkdir(target, { recursive: true })
for (const family of families) {
  await copyFile(`${source}${family}/LICENSE`, `${target}${family}-LICENSE.txt`)
  for (const [subset, ranges] of Object.entries(subsets)) {
    const font = await readFile(`${source}${family}/files/${family}-${subset}-wght-normal.woff2`)
    const cut = await subsetFont(font, charactersOf(ranges), {
      targetFormat: 'woff2',
      variationAxes: { wght: weights },
    })
    await writeFile(`${target}${family}-${subset}.woff2`, cut)
    process.stdout.write(`${family}-${subset}: ${font.length} bytes, now ${cut.length}\n`)
  }
}
