import { joinPieces, type Piece } from '../../pdfium/test/build-pdf.ts'

const zeros = (count: number) => '00'.repeat(count)
/** A Huffman table of one code, of one bit, for the value 0. */
const huffmanTable = (kind: string) => `ffc40014${kind}01${zeros(15)}00`
const quantisation = `ffdb004300${'01'.repeat(64)}`
const frame = 'ffc0000b080001000101011100'
const scan = 'ffda0008010100003f00'
const pixel = '3f'

/**
 * A grey JPEG of one pixel.
 * @param segments put after the start: each a marker's number and what follows its length.
 */
export function tinyJpeg(segments: [number, Piece][] = [], afterEnd: Piece = ''): Buffer {
  return joinPieces(
    Buffer.from('ffd8', 'hex'),
    ...segments.map(([marker, body]) => segment(marker, body)),
    Buffer.from(`${quantisation}${frame}${huffmanTable('00')}${huffmanTable('10')}${scan}${pixel}ffd9`, 'hex'),
    afterEnd,
  )
}

function segment(marker: number, body: Piece): Buffer {
  const bytes = joinPieces(body)
  const head = Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255])
  return joinPieces(head, bytes)
}
