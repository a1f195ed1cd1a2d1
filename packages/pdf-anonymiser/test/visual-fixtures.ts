import { deflateSync } from 'node:zlib'
import { buildPdf, deflated, joinPieces, layOut, type Piece, stream } from '../../pdfium/test/build-pdf.ts'
import { realFont } from './real-font.ts'
import { tinyIccProfile, tinyJpeg } from './tiny-pictures.ts'

const square = (size: number, at: (x: number, y: number) => number) =>
  Buffer.from(Array.from({ length: size * size }, (_, place) => at(place % size, Math.floor(place / size))))
/** An image of 8 by 8 pixels with one dark corner. */
const shade = square(8, (x, y) => x * 16 + y * 15)
const image = (data: Piece, entries: string) =>
  stream(data, `/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8${entries}`)
const drawn = (xObject: Piece, ...more: Piece[]) =>
  buildPdf({ resources: '/XObject<</X 6 0 R>>', content: 'q 150 0 0 150 9 9 cm /X Do Q', objects: [xObject, ...more] })
const form = (content: string, entries = '') => stream(content, `/Type/XObject/Subtype/Form/BBox[0 0 90 90]${entries}`)
const annotated = (annotation: string, ...more: Piece[]) =>
  buildPdf({ page: '/Annots[6 0 R]', objects: [`<</Type/Annot/Rect[9 9 99 99]${annotation}>>`, ...more] })

/** Rows of one grey byte per pixel, each predicted from the one above (PNG filter 2). */
const predicted = Buffer.concat(
  Array.from({ length: 8 }, (_, y) =>
    Buffer.from([2, ...Array.from({ length: 8 }, (_, x) => (shade[y * 8 + x] ?? 0) - (shade[y * 8 + x - 8] ?? 0))]),
  ),
)
/** Emits every code literally and clears the table in time: LZW without compression. */
function packLzw(data: Uint8Array): Buffer {
  const codes = [...data].flatMap((byte, at) => (at % 100 === 0 ? [256, byte] : [byte]))
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('')
  return Buffer.from(bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [])
}
/** Text in a font without a font program, whose 16-bit codes are the characters themselves. */
const coded = (characterCollection: string) =>
  buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    content: `BT /F2 24 Tf 20 150 Td <${Buffer.from('Coded', 'utf16le').swap16().toString('hex')}> Tj ET`,
    objects: [
      '<</Type/Font/Subtype/Type0/BaseFont/Notes/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 9 0 R>>',
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/Notes/CIDSystemInfo${characterCollection}/FontDescriptor 8 0 R/DW 600>>`,
      '<</Type/FontDescriptor/FontName/Notes/Flags 4/FontBBox[0 0 9 9]/Ascent 9/Descent 0/CapHeight 9/StemV 1/ItalicAngle 0>>',
      stream('1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <00ff> <0000> endbfrange'),
    ],
  })
const layer = (name: string) => `<</Type/OCG/Name(${name})>>`

/** Files whose anonymised copy must look the same, each with something that can get lost. */
export const visualFixtures: Record<string, Buffer> = {
  text: buildPdf({ content: 'BT /F1 24 Tf 20 150 Td (No\\164es \\(1\\)) Tj 0 -30 Td [(A) -200 <42>] TJ ET' }),
  'a description in pieces, cut in the middle of a property list': layOut([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Rotate 90/Resources<</Font<</F1 6 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/Contents[4 0 R 5 0 R]>>',
    stream('BT /F1 24 Tf 20 150 Td /P <</MCID'),
    stream('0>> BDC (Notes) Tj EMC ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]),
  'a font of many characters': coded('<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>'),
  'a font whose characters are named in UTF-16': coded(
    '<</Registry<FEFF00410064006F00620065>/Ordering<FFFE4A006100700061006E003100>/Supplement 6>>',
  ),
  'a font whose characters are named in UTF-8': coded(
    '<</Registry<EFBBBF41646f6265>/Ordering(Identity)/Supplement 0>>',
  ),
  'a font whose characters have empty names': coded('<</Registry()/Ordering()/Supplement 0>>'),
  'a font whose characters have odd names': coded('<</Registry(A maker, Ltd.)/Ordering/Of_its_own/Supplement 0>>'),
  'a font without names for its characters': coded('<</Supplement 0>>'),
  'an embedded font': buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    content: 'BT /F2 24 Tf 20 150 Td (Embedded \\(AVfi\\)) Tj ET',
    objects: [
      '<</Type/Font/Subtype/TrueType/BaseFont/Hand/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/FontDescriptor 7 0 R>>',
      `<</Type/FontDescriptor/FontName/Hand/Flags 32/FontBBox[0 0 999 999]/Ascent 900/Descent 0/CapHeight 700/StemV 1
        /ItalicAngle 0/FontFile2 8 0 R>>`,
      deflated(realFont({}, 'more'), '/Length1 1'),
    ],
  }),
  'marked content': buildPdf({ content: '/P<</MCID 0>>BDC BT /F1 24 Tf 20 150 Td (Marked) Tj ET EMC /X MP' }),
  'a JPEG': drawn(
    stream(
      tinyJpeg([[0xe1, 'Exif\0\0']]),
      '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/DCTDecode',
    ),
  ),
  'a packed picture with predicted rows': drawn(
    image(deflateSync(predicted), '/ColorSpace/DeviceGray/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 8>>'),
  ),
  'a picture in base 85, twice packed': drawn(
    image('GhQ7^!!!!"~>', '/ColorSpace/DeviceGray/ImageMask false/Filter/ASCII85Decode'),
  ),
  'an LZW picture': drawn(image(packLzw(shade), '/ColorSpace/DeviceGray/Filter/LZWDecode')),
  'an LZW picture with predicted rows': drawn(
    image(packLzw(predicted), '/ColorSpace/DeviceGray/Filter[/LZWDecode]/DecodeParms[<</Predictor 15/Columns 8>>]'),
  ),
  'a run-length picture': drawn(
    image(joinPieces(Buffer.from([63]), shade, Buffer.from([128])), '/ColorSpace/DeviceGray/Filter/RunLengthDecode'),
  ),
  'a damaged picture': drawn(
    image(joinPieces(deflateSync(shade).subarray(0, -4), 'wrong'), '/ColorSpace/DeviceGray/Filter/FlateDecode'),
  ),
  'a soft mask': drawn(
    image(shade, '/ColorSpace/DeviceGray/SMask 7 0 R'),
    image(shade, '/ColorSpace/DeviceGray/Decode[1 0]'),
  ),
  'a picture in a palette': drawn(
    image(
      square(8, (x) => x % 2),
      '/ColorSpace[/Indexed/DeviceRGB 1<FF00000000FF>]',
    ),
  ),
  'a colour profile': buildPdf({
    resources: '/ColorSpace<</C[/ICCBased 6 0 R]>>',
    content: '/C cs 1 0.5 0.2 sc 20 20 90 90 re f',
    objects: [deflated(tinyIccProfile('Screen'), '/N 3')],
  }),
  'a spot colour': buildPdf({
    resources: '/ColorSpace<</C[/Separation/Gold/DeviceRGB 6 0 R]>>',
    content: '/C cs 0.7 scn 20 20 90 90 re f',
    objects: ['<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[0.9 0.7 0]/N 1>>'],
  }),
  'a pattern and a gradient': buildPdf({
    resources: '/Pattern<</P 6 0 R>>/Shading<</S 7 0 R>>',
    content: '/Pattern cs /P scn 20 20 90 90 re f q 120 20 90 90 re W n /S sh Q',
    objects: [
      stream(
        '1 0 0 rg 0 0 4 4 re f',
        '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>',
      ),
      '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[120 0 210 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>>>',
    ],
  }),
  'resources with unusual names': buildPdf({
    resources:
      '/Font<</Typewriter#20font 6 0 R>>/ExtGState<</HalfSeen<</ca 0.5>>>>/ColorSpace<</PaleGold[/CalGray<</WhitePoint[1 1 1]>>]>>',
    content: 'BT /Typewriter#20f#6Fnt 24 Tf /HalfSeen gs /PaleGold cs 0.3 sc 20 150 Td (Notes) Tj ET',
    objects: ['<</Type/Font/Subtype/Type1/BaseFont/Courier>>'],
  }),
  transparency: buildPdf({
    page: '/Group<</S/Transparency/CS/DeviceRGB>>',
    resources: '/ExtGState<</G<</ca 0.5/BM/Multiply>>>>',
    content: '1 0 0 rg 20 20 90 90 re f /G gs 0 0 1 rg 60 60 90 90 re f',
  }),
  'forms in forms': drawn(
    form('/Y Do', '/Matrix[.01 0 0 .01 0 0]/Resources<</XObject<</Y 7 0 R>>>>'),
    form('9 9 50 50 re f'),
  ),
  'a drawn font': buildPdf({
    resources: '/Font<</F1 6 0 R>>',
    content: 'BT /F1 24 Tf 20 150 Td (aa) Tj ET',
    objects: [
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 10 10]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 7 0 R>>/FirstChar 97/LastChar 97
        /Widths[12]/Encoding<</Type/Encoding/Differences[97/a]>>>>`,
      stream('12 0 0 0 10 10 d1 0 0 9 9 re f'),
    ],
  }),
  'an inline picture with an end mark inside': buildPdf({
    content: joinPieces(
      'q 90 0 0 90 9 9 cm BI /W 8/H 2/CS/G/BPC 8 ID ',
      'abc EI Q % ',
      Buffer.from([0, 1, 2, 255, 37]),
      ' EI Q BT /F1 9 Tf (x) Tj ET',
    ),
  }),
  'an inline picture packed': buildPdf({
    content: joinPieces('q 90 0 0 90 9 9 cm BI /W 8/H 8/CS/G/BPC 8/F/Fl ID ', deflateSync(shade), '\nEI Q'),
  }),
  'hidden and shown layers': buildPdf({
    catalog: '/OCProperties<</OCGs[6 0 R 7 0 R]/D<</BaseState/ON/OFF[6 0 R]>>>>',
    resources: '/Properties<</A 6 0 R/B 7 0 R/C<</Type/OCMD/OCGs[6 0 R 7 0 R]/P/AllOn>>>>/XObject<</X 8 0 R>>',
    content: '/OC/A BDC 0 0 50 50 re f EMC /OC/B BDC 60 0 50 50 re f EMC /OC/C BDC 0 60 50 50 re f EMC /X Do',
    objects: [layer('hidden'), layer('shown'), form('100 100 50 50 re f', '/OC 6 0 R')],
  }),
  'a mark without a picture': annotated('/Subtype/Highlight/QuadPoints[9 99 99 99 9 9 99 9]/C[1 1 0]/T(x)'),
  'a stamp': annotated('/Subtype/Stamp/AP<</N 7 0 R>>', form('1 0 0 rg 0 0 80 40 re f')),
  'a link with a picture': annotated('/Subtype/Link/AP<</N 7 0 R>>', form('0 0 80 40 re f')),
  'a stamp that is scaled and turned': annotated(
    '/Subtype/Stamp/AP<</N 7 0 R>>',
    stream('0 0 40 40 re f 50 30 9 99 re f', '/Type/XObject/Subtype/Form/BBox[0 0 90 45]/Matrix[0 2 -2 0 7 8]'),
  ),
  'a stamp that is upright on a page that is turned': buildPdf({
    page: '/Rotate 90/Annots[6 0 R]',
    objects: ['<</Type/Annot/Subtype/Stamp/F 16/Rect[99 99 130 140]/AP<</N 7 0 R>>>>', form('0 0 80 40 re f')],
  }),
  'stamps on a page that leaves its graphics state changed': buildPdf({
    page: '/Annots[6 0 R]',
    content: 'Q q 2 0 0 2 0 0 cm q 1 0 0 rg /OC /None BDC 0 0 9 9 re f',
    objects: ['<</Type/Annot/Subtype/Stamp/Rect[99 99 130 140]/AP<</N 7 0 R>>>>', form('0 0 80 40 re f')],
  }),
  'a ticked box': annotated('/Subtype/Stamp/AS/Yes/AP<</N<</Yes 7 0 R/Off 8 0 R>>>>', form('0 0 80 40 re f'), form('')),
}

export const hiddenStamps: Record<string, Buffer> = {
  'not to be displayed': annotated('/Subtype/Stamp/F 2/AP<</N 7 0 R>>', form('0 0 80 40 re f')),
  'or a frame where a link has an empty picture': annotated('/Subtype/Link/Dest[3 0 R/Fit]/AP<</N 7 0 R>>', form('')),
  'to be printed only': annotated('/Subtype/Stamp/F 36/AP<</N 7 0 R>>', form('0 0 80 40 re f')),
  'in a hidden layer': buildPdf({
    catalog: '/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>',
    page: '/Annots[6 0 R]',
    objects: [
      '<</Type/Annot/Subtype/Stamp/Rect[9 9 99 99]/AP<</N 7 0 R>>/OC 8 0 R>>',
      form('0 0 80 40 re f'),
      layer('hidden'),
    ],
  }),
}
