import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { createRandom } from '../tools/demo/random.ts'

/** A PDF of one page with a picture that does not compress, as a scan: about 200 kB unless the picture is larger. */
export async function makeScan(side = 256): Promise<Buffer> {
  const random = createRandom('scan')
  const doc = await PDFDocument.create({ updateMetadata: false })
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, () => random.int(0, 255)))
  const { context } = doc
  const image = context.stream(pixels, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: side,
    Height: side,
    ColorSpace: 'DeviceRGB',
    BitsPerComponent: 8,
  })
  const page = doc.addPage([595, 842])
  page.node.set(PDFName.of('Resources'), context.obj({ XObject: { Scan: context.register(image) } }))
  page.node.set(PDFName.of('Contents'), context.register(context.stream('q 500 0 0 700 48 70 cm /Scan Do Q')))
  return Buffer.from(await doc.save({ useObjectStreams: false }))
}
