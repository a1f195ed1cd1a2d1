import { withPdfium } from '../../packages/pdfium/pdfium.ts'
import { deflated, layOut, type Piece, stream } from '../../packages/pdfium/test/build-pdf.ts'
import { createPdfWithText } from './pdf-kinds.ts'

const width = 1_275

/** Makes a PDF like a scanner's: each page is an image of its text. An empty text gives a blank page. */
export async function createScannedPdf(...texts: string[]): Promise<Buffer> {
  const pages: Piece[][] = []
  for (const text of texts) {
    const picture = await withPdfium(256 * 2 ** 20, ({ open }) => {
      const source = open(createPdfWithText(text))
      return typeof source === 'string' ? null : source.renderImage(0, { width, maxRatio: 2 })
    })
    if (!picture) throw new Error('The page could not be drawn')
    pages.push(pageShowing(picture, 3 + 3 * pages.length))
  }
  const kids = pages.map((_, index) => `${3 + 3 * index} 0 R`).join(' ')
  return layOut([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flat(),
  ])
}

/** Returns page, content and image objects, numbered from `first`. */
function pageShowing({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }, first: number) {
  const grey = Uint8Array.from({ length: width * height }, (_, at) => pixels[4 * at] ?? 0)
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + 1} 0 R
        /Resources << /XObject << /Im ${first + 2} 0 R >> >> >>`,
    stream('q 612 0 0 792 0 0 cm /Im Do Q'),
    deflated(
      grey,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
  ]
}
