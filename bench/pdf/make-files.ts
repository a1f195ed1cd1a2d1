import sharp from 'sharp'
import { buildPdf, layOut, stream } from '../../server/pdf/test/build-pdf.ts'
import { makeBomb, makeEndlessFile, makeExplodingFile } from '../../server/pdf/test/hostile-files.ts'
import { courses } from '../../tools/demo/courses.ts'
import { createRandom } from '../../tools/demo/random.ts'

const mebibyte = 2 ** 20
const linesOfPage = 45
const random = createRandom('bench:pdf')
const words = courses.flatMap(({ topics }) => topics.map(({ name }) => name.replace(/[^\x20-\x7e]|[()\\]/g, '')))

function linesOfWords(): string {
  const lines = Array.from({ length: linesOfPage }, () => {
    const line = Array.from({ length: 4 }, () => random.pick(words)).join(' ')
    return `(${line.slice(0, 90)}) Tj T*`
  })
  return `BT /F1 10 Tf 14 TL 50 780 Td ${lines.join('\n')} ET`
}

/** Pages of words that differ. */
export function makeTextFile(pages: number): Buffer {
  const first = 4
  return layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${Array.from({ length: pages }, (_, at) => `${first + 2 * at} 0 R`).join(' ')}]/Count ${pages}
      /MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: pages }, (_, at) => [
      `<</Type/Page/Parent 2 0 R/Contents ${first + 2 * at + 1} 0 R>>`,
      stream(linesOfWords()),
    ]).flat(),
  ])
}

type Scan = { width: number; height: number; jpeg: Buffer }

/** Pages that are photographs of paper, 300 dpi and grey, until the file is as long as wished. */
export async function makeScans(bytes: number): Promise<Buffer> {
  const [width, height] = [2480, 3508]
  const noise = { type: 'gaussian' as const, mean: 200, sigma: 25 }
  const paper = sharp({ create: { width, height, channels: 3, background: 'white', noise } })
  return bindScans({ width, height, jpeg: await paper.greyscale().jpeg({ quality: 60 }).toBuffer() }, bytes)
}

/** Pages of print as a copier scans them, 150 dpi and grey, some 300 kB each, until the file is as long as wished. */
export async function makeScannedBook(bytes: number): Promise<Buffer> {
  const [width, height] = [1240, 1754]
  const line = (_: unknown, at: number) =>
    `<text x="110" y="${130 + 32 * at}">${Array.from({ length: 9 }, () => random.pick(words))
      .join(' ')
      .slice(0, 78)
      .replace(/[&<>]/g, '')}</text>`
  const lines = Array.from({ length: 48 }, line).join('')
  const print = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-size="25">${lines}</svg>`
  const noise = { type: 'gaussian' as const, mean: 245, sigma: 1.5 }
  const paper = sharp({ create: { width, height, channels: 3, background: 'white', noise } })
  const jpeg = await paper
    .composite([{ input: Buffer.from(print) }])
    .greyscale()
    .jpeg({ quality: 75 })
    .toBuffer()
  return bindScans({ width, height, jpeg }, bytes)
}

function bindScans({ width, height, jpeg: scan }: Scan, bytes: number): Buffer {
  const pages = Math.ceil(bytes / scan.length)
  const first = 3
  return layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${Array.from({ length: pages }, (_, at) => `${first + 3 * at} 0 R`).join(' ')}]/Count ${pages}
      /MediaBox[0 0 595 842]>>`,
    ...Array.from({ length: pages }, (_, at) => [
      `<</Type/Page/Parent 2 0 R/Contents ${first + 3 * at + 1} 0 R/Resources<</XObject<</X ${first + 3 * at + 2} 0 R>>>>>>`,
      stream('q 595 0 0 842 0 0 cm /X Do Q'),
      stream(
        scan,
        `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode`,
      ),
    ]).flat(),
  ])
}

/** One page that draws so many objects of the file, each a line of text. */
export function makeManyObjects(count: number): Buffer {
  const names = Array.from({ length: count }, (_, at) => `/X${at} ${6 + at} 0 R`)
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<</Font<</F1 5 0 R>>>>'
  return buildPdf({
    resources: `/XObject<<${names.join(' ')}>>`,
    content: Array.from({ length: count }, (_, at) => `/X${at} Do`).join('\n'),
    objects: Array.from({ length: count }, (_, at) =>
      stream(`BT /F1 4 Tf ${at % 280} ${at % 190} Td (${random.pick(words)}) Tj ET`, form),
    ),
  })
}

/** Files that hang, and that eat memory, once more than their first page is looked at. */
export async function makeHostileFiles(): Promise<Record<string, Buffer>> {
  const files = { hang: makeEndlessFile(), explode: makeExplodingFile(), memory: await makeBomb(400) }
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, behindBlankPage(file)]))
}

/** The page of a file of one page becomes the second, so that it is admitted. */
function behindBlankPage(file: Buffer): Buffer {
  const text = file.toString('latin1')
  const last = Number(/\/Size (\d+)/.exec(text)?.[1] ?? 0)
  const revision = [
    `2 0 obj\n<</Type/Pages/Kids[${last} 0 R 3 0 R]/Count 2>>\nendobj\n`,
    `${last} 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>\nendobj\n`,
  ]
  const offsets = [file.length, file.length + (revision[0]?.length ?? 0)].map((at) => String(at).padStart(10, '0'))
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]
  const table =
    `xref\n2 1\n${offsets[0]} 00000 n \n${last} 1\n${offsets[1]} 00000 n \n` +
    `trailer\n<</Size ${last + 1}/Root 1 0 R/Prev ${previous}>>\nstartxref\n${file.length + revision.join('').length}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(revision.join('') + table, 'latin1')])
}

export const generatedFiles: Record<string, () => Buffer | Promise<Buffer>> = {
  '1,000 pages of text': () => makeTextFile(1_000),
  '100 MB of scans': () => makeScans(100 * mebibyte),
  '20,000 objects on a page': () => makeManyObjects(20_000),
}
