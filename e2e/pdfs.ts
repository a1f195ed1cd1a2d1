import PDFDocument from 'pdfkit'
import { deflated, layOut, stream } from '../packages/pdfium/test/build-pdf.ts'
import { pdfOfImages } from '../server/testing/scanned-pdf.ts'

/** Makes a PDF of these page descriptions, which have a font F1. */
function pdfOfContents(contents: string[], trailer = ''): Buffer {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  return layOut(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${kids}]/Count ${contents.length}/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>',
      ...contents.flatMap((content, at) => [
        `<</Type/Page/Parent 2 0 R/Contents ${5 + at * 2} 0 R>>`,
        deflated(content),
      ]),
    ],
    trailer,
  )
}

const lineAt = (y: number, line: string) => `/F1 24 Tf 72 ${y} Td (${line}) Tj ET`

/** Makes a PDF with one line of text on each page. */
export const pdfOfPages = (lines: string[], { title }: { title?: string } = {}): Buffer =>
  pdfOfContents(
    lines.map((line) => `BT ${lineAt(720, line)}`),
    title && `/Info<</Title(${title})>>`,
  )

/** Makes a PDF with a visible line on its first page, and the same line invisible on four more. */
export function pdfWithHiddenText(line: string): Buffer {
  const text = lineAt(720, line)
  const hidden = [
    `BT 3 Tr ${text}`,
    `BT 1 g ${text}`,
    `BT ${text} 1 g 0 600 595 242 re f`,
    `q 0 0 9 9 re W n BT ${text} Q`,
  ].map((part) => `${part} BT 0 Tr 0 g ${lineAt(300, 'Limits')}`)
  return pdfOfContents([`BT ${text}`, ...hidden])
}

/**
 * Makes a PDF with a chapter on each page and a table of contents, optionally with a password and Roman numbers on the
 * first pages.
 */
export async function makeOutlinedPdf(
  pageCount: number,
  { userPassword, romanPages = 0 }: { userPassword?: string; romanPages?: number } = {},
): Promise<Buffer> {
  const book = new PDFDocument({
    size: 'A4',
    margin: 72,
    autoFirstPage: false,
    pdfVersion: '1.7',
    ...(userPassword && { userPassword }),
  })
  const chunks: Buffer[] = []
  book.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => book.on('end', resolve))
  for (let page = 1; page <= pageCount; page++) {
    book.addPage()
    book.outline.addItem(`Chapter ${page}`)
    book.fontSize(28).text(`Chapter ${page}`).moveDown()
    book.fontSize(12).text(`Every page has a compass. Only this one has needle${page}.`).moveDown()
    for (let line = 0; line < 30; line++) book.text(`Line ${line + 1} about limits, series and convergence.`)
    if (page === 1) book.moveDown().text('Further reading', { link: 'https://example.org/reading', underline: true })
  }
  if (romanPages > 0) {
    const labels = { Nums: [0, { S: 'r' }, romanPages, { S: 'D' }] }
    Object.assign((book as unknown as { _root: { data: object } })._root.data, { PageLabels: labels })
  }
  book.end()
  await ended
  return Buffer.concat(chunks)
}

/** Makes a PDF of scans: each page has one incompressible image. */
export function makeScannedPdf(pageCount: number, bytesPerPage: number): Buffer {
  const width = 400
  const height = Math.floor(bytesPerPage / width)
  const images = Array.from({ length: pageCount }, (_, at) => {
    let state = at + 1
    const pixels = Uint8Array.from({ length: width * height }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 16
    })
    return { width, height, pixels }
  })
  // Uncompressed, because noise becomes no smaller.
  return pdfOfImages(images, stream)
}
