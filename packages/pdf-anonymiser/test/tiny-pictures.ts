import { joinPieces, type Piece } from '../../pdfium/test/build-pdf.ts'

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255])
const uint32 = (value: number) => joinPieces(uint16(value >>> 16), uint16(value & 0xffff))

function box(name: string, ...body: Piece[]): Buffer {
  const bytes = joinPieces(...body)
  return joinPieces(uint32(bytes.length + 8), name, bytes)
}

function marker(code: number, ...body: Piece[]): Buffer {
  const bytes = joinPieces(...body)
  return joinPieces(Buffer.from([0xff, code]), uint16(bytes.length + 2), bytes)
}

/** The frame of a JPEG 2000 file with one grey pixel, a comment in its code stream and extra boxes. */
export function tinyJpx({ comment, xml, colours }: { comment: string; xml: string; colours?: Piece[] }): Buffer {
  return joinPieces(
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', 'jp2 ', uint32(0), 'jp2 '),
    box('xml ', xml),
    box(
      'jp2h',
      box('ihdr', uint32(1), uint32(1), uint16(1), Buffer.from([7, 7, 0, 0])),
      ...(colours ?? [joinPieces(Buffer.from([1, 0, 0]), uint32(17))]).map((colour) => box('colr', colour)),
      box('res ', comment),
    ),
    box('uuid', 'JpgTiffExif->JP2', comment),
    box('jp2c', tinyCodeStream(comment)),
    box('uinf', comment),
  )
}

export function tinyCodeStream(comment: string): Buffer {
  const tileData = Buffer.from([0, 0, 0, 0])
  const tileComment = marker(0x64, uint16(1), comment)
  const tileLength = 12 + tileComment.length + 2 + tileData.length
  return joinPieces(
    Buffer.from('ff4f', 'hex'),
    marker(0x51, uint16(0), ...[1, 1, 0, 0, 1, 1, 0, 0].map(uint32), uint16(1), Buffer.from([7, 1, 1])),
    marker(0x52, Buffer.from([0, 0, 0, 1, 0, 0, 4, 4, 0, 1])),
    marker(0x5c, Buffer.from([0x40, 0x40])),
    marker(0x64, uint16(1), comment),
    marker(0x90, uint16(0), uint32(tileLength), Buffer.from([0, 1])),
    tileComment,
    Buffer.from('ff93', 'hex'),
    tileData,
    Buffer.from('ffd9', 'hex'),
    comment,
  )
}

/** A monitor's colour profile: white point, three primaries, and texts that identify the machine. */
export function tinyIccProfile(text: string): Buffer {
  const xyz = (...values: number[]) => joinPieces('XYZ ', uint32(0), ...values.map((value) => uint32(value * 0x10000)))
  const curve = joinPieces('curv', uint32(0), uint32(0))
  const named = joinPieces('text', uint32(0), text, '\0')
  const tags: [string, Buffer][] = [
    ['desc', named],
    ['cprt', named],
    ['dmnd', named],
    ['mmod', named],
    ['meta', named],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.4361, 0.2225, 0.0139)],
    ['gXYZ', xyz(0.3851, 0.7169, 0.0971)],
    ['bXYZ', xyz(0.1431, 0.0606, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  let offset = 128 + 4 + tags.length * 12
  const table = tags.map(([name, body]) => {
    const entry = joinPieces(name, uint32(offset), uint32(body.length))
    offset += body.length
    return entry
  })
  const header = Buffer.alloc(128)
  header.set(uint32(offset))
  header.set(uint32(0x02100000), 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  header.write(text.slice(0, 16), 84, 'latin1')
  return joinPieces(header, uint32(tags.length), ...table, ...tags.map(([, body]) => body))
}

const zeros = (count: number) => '00'.repeat(count)
/** A Huffman table with one 1-bit code, for the value 0. */
const huffmanTable = (kind: string) => `ffc40014${kind}01${zeros(15)}00`
const quantisation = `ffdb004300${'01'.repeat(64)}`
const frame = 'ffc0000b080001000101011100'
const scan = 'ffda0008010100003f00'
const pixel = '3f'

/**
 * A grey JPEG of one pixel.
 * @param segments are inserted after the start: each has a marker number and the bytes after its length.
 */
export function tinyJpeg(segments: [number, Piece][] = [], afterEnd: Piece = ''): Buffer {
  return joinPieces(
    Buffer.from('ffd8', 'hex'),
    ...segments.map(([code, body]) => marker(code, body)),
    Buffer.from(`${quantisation}${frame}${huffmanTable('00')}${huffmanTable('10')}${scan}${pixel}ffd9`, 'hex'),
    afterEnd,
  )
}
