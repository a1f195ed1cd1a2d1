import { withPdfium } from '../../packages/pdfium/pdfium.ts'
import { deflated, layOut } from '../../packages/pdfium/test/build-pdf.ts'
import { createPdfWithText } from './pdf-kinds.ts'

const width = 1_275

/** Makes a PDF like a scanner's: each page is an image of its text. An empty text gives a blank page. */
export async function createScannedPdf(...texts: string[]): Promise<Buffer> {
  const images: GreyImage[] = []
  for (const text of texts) {
    const picture = await withPdfium(256 * 2 ** 20, ({ open }) => {
      const source = open(createPdfWithText(text))
      return typeof source === 'string' ? null : source.renderImage(0, { width, maxRatio: 2 })
    })
    if (!picture) throw new Error('The page could not be drawn')
    const { height, pixels } = picture
    images.push({ width, height, pixels: Uint8Array.from({ length: width * height }, (_, at) => pixels[4 * at] ?? 0) })
  }
  return pdfOfImages(images)
}

/** One byte per pixel. */
type GreyImage = { width: number; height: number; pixels: Uint8Array }

/** Makes a PDF of which each page is an image. */
export function pdfOfImages(images: GreyImage[], encode = deflated): Buffer {
  const kids = images.map((_, at) => `${3 + 3 * at} 0 R`).join(' ')
  const pages = images.flatMap(({ width, height, pixels }, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 3 * at} 0 R
        /Resources << /XObject << /Im ${5 + 3 * at} 0 R >> >> >>`,
    encode('q 612 0 0 792 0 0 cm /Im Do Q'),
    encode(
      pixels,
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    ),
  ])
  return layOut([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${images.length} >>`,
    ...pages,
  ])
}
