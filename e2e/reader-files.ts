import PDFDocument from 'pdfkit'
import { makePdf } from '../server/testing/pdf.ts'

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
  const kids = Array.from({ length: pageCount }, (_, at) => `${3 + at * 3} 0 R`).join(' ')
  const pages = Array.from({ length: pageCount }, (_, at) => {
    const first = 3 + at * 3
    const draw = 'q 595 0 0 842 0 0 cm /I Do Q'
    const pixels = Buffer.alloc(width * height)
    let state = at + 1
    for (let pixel = 0; pixel < pixels.length; pixel++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      pixels[pixel] = state >>> 16
    }
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + 1} 0 R /Resources << /XObject << /I ${first + 2} 0 R >> >> >>`,
      `<< /Length ${draw.length} >>\nstream\n${draw}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${pixels.length} >>\nstream\n${pixels.toString('latin1')}\nendstream`,
    ]
  })
  return makePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pageCount} >>`,
    ...pages.flat(),
  ])
}
