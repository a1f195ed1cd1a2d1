import { layOut } from '../../../../packages/pdfium/test/build-pdf.ts'

const width = 13_200
const maxBlockBytes = 65_535

/** Builds a page with one grey image, a byte per pixel, in deflate blocks that are stored without compression. */
export function makeLargeFile(bytes: number): Uint8Array {
  const height = Math.floor(bytes / width)
  const pixels = width * height
  const blocks = Math.ceil(pixels / maxBlockBytes)
  const length = 2 + pixels + blocks * 5
  const [before = '', after = ''] = layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
    '<</Length 26>>\nstream\nq 300 0 0 200 0 0 cm /X Do\nendstream',
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8
      /Filter/FlateDecode/Length ${length}>>\nstream\n@\nendstream`,
  ])
    .toString('latin1')
    .split('@')
  const tableAt = before.length + length + after.indexOf('xref')
  const end = after.replace(/startxref\n\d+/, `startxref\n${tableAt}`)
  const file = Buffer.alloc(before.length + length + end.length)
  file.write(before, 'latin1')
  file.write(end, before.length + length, 'latin1')
  file.set([0x78, 1], before.length)
  for (let block = 0; block < blocks; block++) {
    const at = before.length + 2 + block * (maxBlockBytes + 5)
    const size = Math.min(maxBlockBytes, pixels - block * maxBlockBytes)
    file[at] = block === blocks - 1 ? 1 : 0
    file.writeUInt16LE(size, at + 1)
    file.writeUInt16LE(size ^ 0xffff, at + 3)
  }
  return file
}
