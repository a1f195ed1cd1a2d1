import { createCipheriv } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { joinPieces } from '../../pdfium/test/build-pdf.ts'
import { noNames } from '../rules/names.ts'
import { type PdfDict, PdfLimitError, PdfRejectedError } from '../syntax/values.ts'
import { tinyCodeStream, tinyIccProfile, tinyJpeg, tinyJpx } from '../test/tiny-pictures.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii.ts'
import { cleanCharacterMap } from './character-map.ts'
import { cleanContent } from './content.ts'
import { Budget } from './filters.ts'
import { inflate, measureDeflated } from './flate.ts'
import { blankCffNames, blankType1Names } from './font-names.ts'
import { cleanIccProfile } from './icc.ts'
import { cleanJbig2 } from './jbig2.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanJpx } from './jpx.ts'
import { decodeLzw } from './lzw.ts'
import { cleanPostScriptFunction } from './postscript-function.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const clean = (content: string) => text(cleanContent(Buffer.from(content, 'latin1')))

it('a page description keeps what draws, byte for byte', () => {
  const content = 'q 1 0 0 1 -.5 +9. cm/F1 9 Tf(a\\)%b)Tj[(c)-20<64>]TJ(e)\' 1 2(f)"/X Do Q'
  expect(clean(content)).toBe(content)
})

it('a page description loses comments, also in arrays, but not percent signs in strings', () => {
  expect(clean('1 w %x\n2 w')).toBe('1 w  \n2 w')
  expect(clean('[1%x\n2]0 d(%)Tj')).toBe('[1 \n2]0 d(%)Tj')
  expect(clean('%x')).toBe(' ')
  expect(clean('/P<<%zyx\n/MCID 0>>BDC 1 w EMC')).toBe('/P BMC 1 w EMC')
  expect(clean('/Zyx %zyx\n[1%zyx\n2]0 d')).toBe('   \n[1 \n2]0 d')
  expect(clean(`[${'%'.repeat(60)}\n(x)]0 d 1 w`)).toBe(' 0 d 1 w')
})

it('a page description loses the properties of marked content, except its layer and what tags need', () => {
  expect(clean('/Zyx<</MCID 0/Lang(x)>>BDC 1 w EMC')).toBe('/M BMC 1 w EMC')
  expect(clean('/P BMC 1 w EMC /Artifact<</Zyx(x)>>BDC EMC')).toBe('/P BMC 1 w EMC /Artifact BMC EMC')
  const keep = (properties: PdfDict) => new Map([['MCID', properties.get('MCID') ?? 0]])
  const content = Buffer.from('/Span<</Zyx(x)/MCID 7>>BDC EMC')
  expect(text(cleanContent(content, undefined, keep))).toBe('/Span <</MCID 7>> BDC EMC')
  expect(clean('/Zyx BMC EMC /Zyx MP /Zyx/Y DP')).toBe('/M BMC EMC  ')
  expect(clean('/OC/L1 BDC EMC')).toBe('/OC /L1 BDC EMC')
  expect(clean('/OC<</Zyx(x)>>BDC EMC')).toBe('/M BMC EMC')
  // Readers use the last operands.
  expect(clean('1 /OC /L1 BDC EMC')).toBe('/OC /L1 BDC EMC')
  expect(clean('/OC /P BMC EMC')).toBe('/P BMC EMC')
})

it('a page description loses words that are no operators, and operands that no operator reads', () => {
  expect(clean('1 w (x) 3 zyx 2 w')).toBe('1 w  2 w')
  expect(clean('(zyx)/Zyx<7A7978>[(z)]1 w(a)Tj')).toBe('    1 w(a)Tj')
  expect(clean('[(z)]0 d[3 .5]0 d')).toBe(' 0 d[3 .5]0 d')
  expect(clean('1 w (zyx) /P <</MCID 0>>')).toBe('1 w ')
  expect(clean('9Zyx 1 w .Zyx -Zyx 1.2.3 --5 1e-5 2 w')).toBe(' 1 w   1.2.3 --5 1e-5 2 w')
  expect(clean('[(a)/Zyx<</A(zyx)>>[(zyx)]%zyx\n-2 9Zyx<64>]TJ')).toBe('[(a) -2 <64>]TJ')
  expect(clean('(zyx)(a)Tj(zyx)(a)\'(zyx)1 2(a)"[(zyx)](zyx)[(a)]TJ')).toBe(' (a)Tj (a)\' 1 2(a)"  [(a)]TJ')
  expect(clean('/Zyx ri/Perceptual ri')).toBe('  ri/Perceptual ri')
})

it('a page description keeps inline pictures with the keys they need', () => {
  expect(clean('BI/W 1/H 1/CS/G/BPC 8/Zyx(z)/DP<</Zyx(z)/K -1>>ID x EI q Q')).toBe(
    'BI /W 1 /H 1 /CS /G /BPC 8 /DP <</K -1>> ID x\nEI q Q',
  )
  expect(clean('BI/W 1/H 1/CS/G/BPC 8/F/AHx ID 7a>zyx EI')).toBe('BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 7a>\nEI')
})

it('a page description is refused when the colours of an inline picture are none that are defined inline', () => {
  const picture = (space: string) => clean(`BI/W 1/H 1/BPC 8/CS${space} ID xyzw EI`)
  for (const space of ['/G', '/CS0', '[/DeviceRGB]', '[/I /RGB 0 <7A7978>]', '[/Indexed /DeviceCMYK 0 <7A797877>]'])
    expect(picture(space)).toContain('/CS')
  for (const space of ['[/Zyx]', '[/I /Zyx 0 (x)]', '[/Zyx /G 0 (x)]', '[/I /G (zyx)]', '[]'])
    expect(() => picture(space)).toThrow(PdfRejectedError)
})

it('a page description ends what it began, and nothing else', () =>
  expect(clean('Q q q 1 w Q EMC /P BMC 2 w')).toBe(' q q 1 w Q  /P BMC 2 w EMC Q'))

it('a page description takes no more memory than its own size, or is refused', () => {
  const many = 300_000
  expect(clean('zyx '.repeat(many)).trim()).toBe('')
  expect(clean('/P BMC EMC %\n'.repeat(many)).length).toBe('/P BMC EMC %\n'.length * many)
  expect(() => clean('1 '.repeat(many))).toThrow(PdfRejectedError)
  expect(() => clean(`1 ${'%\n'.repeat(many)} w`)).toThrow(PdfRejectedError)
})

it('inline pictures may lack an end mark, and unpack no more than the limit of the file', () => {
  const picture = 'BI /W 1 /H 1 /CS /G /BPC 8 /F /A85 ID 87\nEI '
  expect(clean(picture.repeat(5_000))).toBe(picture.repeat(5_000))
  const inRuns = Buffer.from('BI /W 1 /H 1 /CS /G /BPC 8 /F /RL ID \x81x\x80 EI '.repeat(3), 'latin1')
  const cleanWithin = (maxBytes: number) => cleanContent(inRuns, undefined, undefined, new Budget(maxBytes))
  expect(cleanWithin(3 * 128).length).toBeGreaterThan(0)
  expect(() => cleanWithin(3 * 128 - 1)).toThrow(PdfLimitError)
})

it('a page description is refused when a property list or an inline picture has no end', () => {
  for (const content of ['/P <</MCID 0', 'BI /W 1/H 1/CS/G/BPC 8 ID x', 'BI /W 1 2'])
    expect(() => clean(content)).toThrow(PdfRejectedError)
})

it('packings are undone up to their end mark', () => {
  expect(text(decodeAsciiHex(Buffer.from('4e 6F7>zyx')))).toBe('Nop')
  expect(text(decodeAscii85(Buffer.from('87cURD]i,"Ebo80~>zyx')))).toBe('Hello World!')
  expect([...decodeAscii85(Buffer.from('z!!~>'))]).toEqual([0, 0, 0, 0, 0])
  expect(text(decodeRunLength(Buffer.from([1, 97, 98, 254, 99, 128, 120]), 99))).toBe('abccc')
  // ISO 32000-1, 7.4.4.2, example 1
  expect(text(decodeLzw(Buffer.from('800b6050220c0c8501ff', 'hex'), 1, 99))).toBe('-----A---B')
})

it('packings are refused past their limit', async () => {
  expect(() => decodeRunLength(Buffer.from([129, 0, 129, 0]), 200)).toThrow(PdfRejectedError)
  expect(() => decodeLzw(Buffer.from('800b6050220c0c8501', 'hex'), 1, 5)).toThrow(PdfRejectedError)
  await expect(inflate(deflateSync(Buffer.alloc(1000)), 999)).rejects.toThrow(PdfRejectedError)
  await expect(measureDeflated(deflateSync(Buffer.alloc(1000)), 999)).rejects.toThrow(PdfRejectedError)
})

it('packings give what there is of deflated data that is cut, damaged, or wrongly summed', async () => {
  const bytes = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(5_000))
  const packed = deflateSync(bytes)
  expect(await inflate(packed.subarray(0, -4), 9_999)).toEqual(bytes)
  expect(await inflate(joinPieces(packed.subarray(0, -4), 'zyxw'), 9_999)).toEqual(bytes)
  const cut = await inflate(packed.subarray(0, packed.length / 2), 9_999)
  expect(cut.length).toBeGreaterThan(1_000)
  expect(bytes.subarray(0, cut.length).equals(cut)).toBe(true)
})

it('packings show where deflated data ends', async () => {
  const packed = deflateSync(Buffer.alloc(100_000, 'Notes'))
  const sizes = { packedBytes: packed.length, unpackedBytes: 100_000 }
  expect(await measureDeflated(joinPieces(packed, 'zyx'), 1e6)).toEqual(sizes)
  expect(await measureDeflated(Buffer.from('no such data'), 1e6)).toBeNull()
})

it('a JPEG keeps its tables and scans, and of JFIF and Adobe the fixed part', () => {
  expect(text(cleanJpeg(tinyJpeg()))).toBe(text(tinyJpeg()))
  const jfif = 'JFIF\0\x01\x02\0\0\x48\0\x48'
  const adobe = 'Adobe\0\x64\0\0\0\0\x01'
  const segments: [number, string][] = [
    [0xe0, `${jfif}\x01\x01zyx`],
    [0xe1, 'Exif\0\0zyx'],
    [0xee, `${adobe}zyx`],
    [0xfe, 'zyx'],
  ]
  const kept: [number, string][] = [
    [0xe0, `${jfif}\0\0`],
    [0xee, adobe],
  ]
  expect(text(cleanJpeg(tinyJpeg(segments, 'zyx')))).toBe(text(tinyJpeg(kept)))
})

it('a JPEG with unknown segments, or with none, is refused', () => {
  for (const file of [tinyJpeg([[0xf5, 'zyx']]), Buffer.from('zyx'), new Uint8Array()])
    expect(() => cleanJpeg(file)).toThrow(PdfRejectedError)
})

it('a JPEG is refused when a segment is longer than its content', () => {
  const fitting: [number, string][] = [
    [0xdc, '\0\x01'],
    [0xdd, '\0\0'],
    [0xcc, '\0\0\x01\x01'],
    [0xc1, '\x08\0\x01\0\x01\x01\x01\x11\0'],
    [0xda, '\x01\x01\0\0\x3f\0'],
  ]
  for (const [marker, body] of fitting) {
    expect(text(cleanJpeg(tinyJpeg([[marker, body]])))).toBe(text(tinyJpeg([[marker, body]])))
    expect(() => cleanJpeg(tinyJpeg([[marker, `${body}zyx`]]))).toThrow(PdfRejectedError)
  }
  for (const marker of [0xc8, 0xde, 0xdf]) expect(() => cleanJpeg(tinyJpeg([[marker, '']]))).toThrow(PdfRejectedError)
})

it('JPEG 2000 keeps header and code stream, comments blanked, lengths right', () => {
  const cleaned = cleanJpx(tinyJpx({ comment: 'zyx', xml: '<zyx/>' }))
  expect(text(cleaned)).not.toContain('zyx')
  expect(text(cleaned)).toMatch(/jP {2}.*ftyp.*jp2h.*ihdr.*colr.*jp2c/s)
  expect(cleaned).toEqual(cleanJpx(tinyJpx({ comment: '   ', xml: '' })))
  expect(text(cleanJpx(tinyCodeStream('zyx')))).not.toContain('zyx')
  expect(() => cleanJpx(Buffer.from('zyx'))).toThrow(PdfRejectedError)

  // A tile that is cut off is cleaned too, and one that points back at itself is refused.
  const code = tinyCodeStream('zyx')
  const tile = code.indexOf(Buffer.from('ff90', 'hex'))
  expect(text(cleanJpx(code.subarray(0, -8)))).not.toContain('zyx')
  const data = code.indexOf(Buffer.from('ff93', 'hex'))
  code.writeUInt32BE(data - tile, tile + 6)
  expect(() => cleanJpx(code)).toThrow(PdfRejectedError)
})

it('JPEG 2000 keeps colour spaces that readers know, without what follows them', () => {
  const grey = '\x01\0\0\0\0\0\x11'
  const lab = `\x01\0\0\0\0\0\x0e${'\x01'.repeat(28)}`
  const file = (...colours: string[]) => tinyJpx({ comment: '', xml: '', colours })
  expect(cleanJpx(file(`${grey}zyx`))).toEqual(cleanJpx(file(grey)))
  expect(cleanJpx(file(`${lab}zyx`))).toEqual(cleanJpx(file(lab)))
  expect(text(cleanJpx(file(lab)))).toContain(lab)
  expect(cleanJpx(file(grey, '\x04\0\0zyx'))).toEqual(cleanJpx(file(grey)))
  expect(() => cleanJpx(file('\x04\0\0zyx'))).toThrow(PdfRejectedError)
})

it('JPEG 2000 loses unknown segments and what follows the last tile, whatever its length says', () => {
  const code = tinyCodeStream('zyx')
  const tile = code.indexOf(Buffer.from('ff90', 'hex'))
  for (const tileLength of [0, 1_000]) {
    code.writeUInt32BE(tileLength, tile + 6)
    expect(text(cleanJpx(code))).not.toContain('zyx')
    expect([...cleanJpx(code).subarray(-2)]).toEqual([0xff, 0xd9])
  }
  const unknown = joinPieces(code.subarray(0, tile), '\xff\x70\0\x05zyx', code.subarray(tile))
  expect(text(cleanJpx(unknown))).toContain('\xff\x70\0\x05   \xff\x90')
  const data = code.indexOf(Buffer.from('ff93', 'hex')) + 2
  const marked = joinPieces(code.subarray(0, data), '\xff\x91\0\x04\0\0\xff\x92', code.subarray(data))
  expect(text(cleanJpx(marked))).toContain('\xff\x91\0\x04\0\0\xff\x92')
  const odd = joinPieces(code.subarray(0, data), '\xff\xa0zyx', code.subarray(data))
  expect(() => cleanJpx(odd)).toThrow(PdfRejectedError)
  const open = joinPieces(code.subarray(0, tile), Buffer.alloc(3_000_000, 'ff90000a0000000000000001', 'hex'))
  expect(cleanJpx(open).length).toBe(open.length)
})

it('JBIG2 keeps only the segments that draw', () => {
  const segment = (number: number, type: number, data: string, length = data.length) =>
    joinPieces(
      Buffer.from([0, 0, 0, number, type, 0, 1]),
      Buffer.from(length.toString(16).padStart(8, '0'), 'hex'),
      data,
    )
  const [page, region] = [segment(0, 48, 'width,height,and+++'), segment(2, 38, 'region')]
  const cleanText = (...pieces: Buffer[]) => text(cleanJbig2(joinPieces(...pieces)))
  expect(cleanText(page, segment(1, 62, 'zyx'), segment(3, 5, 'zyx'), segment(3, 52, 'zyx'), region)).toBe(
    text(joinPieces(page, region)),
  )
  expect(cleanText(segment(0, 48, 'width,height,and+++zyx'), region)).toBe(text(joinPieces(page, region)))
  expect(cleanText(page, region, segment(4, 51, ''), Buffer.from('zyx'))).toBe(text(joinPieces(page, region)))
  expect(() => cleanJbig2(Buffer.from('zyx'))).toThrow(PdfRejectedError)

  // A region of unknown length ends at a mark and the number of its rows.
  const position = 'width,height,x,y.'
  const [arithmetic, fax] = [`${position}\x06ATdata\xff\xac\0\0\0\x01`, `${position}\x01data\0\0\0\0\0\x01`]
  for (const data of [arithmetic, fax]) {
    const open = segment(2, 38, data, 0xffffffff)
    expect(cleanText(page, open, segment(3, 62, 'zyx'))).toBe(text(joinPieces(page, open)))
  }
  const cut = segment(2, 38, arithmetic.slice(0, -6), 0xffffffff)
  expect(() => cleanText(page, cut)).toThrow(PdfRejectedError)
})

it('a calculator function is read in time', () => {
  expect(text(cleanPostScriptFunction(Buffer.from('{ 1 .5 2. -3e4%zyx\n add }')))).toBe('{ 1 .5 2. -3e4 add }')
  expect(() => cleanPostScriptFunction(Buffer.from(`{ ${'1'.repeat(300_000)}x }`))).toThrow(PdfRejectedError)
})

it('a colour profile is the same whatever screen it was made for', () => {
  const cleaned = cleanIccProfile(tinyIccProfile('Zyx screen 4711'))
  expect(cleaned).toEqual(cleanIccProfile(tinyIccProfile('Another one, with a longer name')))
  expect(text(cleaned)).toContain('rXYZ')
  expect(cleanIccProfile(cleaned)).toEqual(cleaned)
  expect(() => cleanIccProfile(Buffer.from('zyx'))).toThrow(PdfRejectedError)
})

it('a colour profile keeps data that tags share once, and nothing that is no colour', () => {
  const change = (entry: number, values: [name: string, offset: number, size: number]) => {
    const profile = tinyIccProfile('zyx')
    const at = 132 + entry * 12
    profile.write(values[0], at, 'latin1')
    profile.writeUInt32BE(values[1], at + 4)
    profile.writeUInt32BE(values[2], at + 8)
    return profile
  }
  const plain = tinyIccProfile('zyx')
  const [point = 0, curve = 0] = [5, 9].map((entry) => plain.readUInt32BE(132 + entry * 12 + 4))
  expect(cleanIccProfile(change(11, ['bTRC', curve, 12])).length).toBe(cleanIccProfile(plain).length - 12)
  expect(cleanIccProfile(change(5, ['wtpt', point, 50]))).toEqual(cleanIccProfile(plain))
  const damaged: [number, [string, number, number]][] = [
    [11, ['gTRC', curve, 12]],
    [11, ['bTRC', 0, 276]],
    [11, ['bTRC', 132, 12]],
    [11, ['bTRC', plain.readUInt32BE(132 + 4), 12]],
    [11, ['bTRC', curve, 1_000]],
  ]
  for (const [entry, values] of damaged) expect(() => cleanIccProfile(change(entry, values))).toThrow(PdfRejectedError)

  const overlapping = joinPieces(plain, Buffer.alloc(1_000))
  for (const [entry, name] of ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1'].entries()) {
    overlapping.write(name, 132 + entry * 12, 'latin1')
    overlapping.writeUInt32BE(point, 132 + entry * 12 + 4)
    overlapping.writeUInt32BE(1_000 + entry, 132 + entry * 12 + 8)
  }
  expect(() => cleanIccProfile(overlapping)).toThrow(PdfRejectedError)
})

it('a Type 1 font loses names, notices and comments before its encrypted part', () => {
  const font = `%!PS-AdobeFont-1.0: zyx 1\n%zyx\n/FontName /zyx def /Notice (a (b (c (zyx) \\) d))) def 7 %zyx eexec (
    ${'/A 1 def '.repeat(10_000)}/FullName (zyx) def currentfile eexec\n%(zyx)`
  for (const head of ['', '\x80\x01%(\0\0']) {
    const cleaned = text(blankType1Names(Buffer.from(head + font, 'latin1')))
    expect(cleaned).toMatch(/^[^!]*%!PS-AdobeFont-1.0x+\n%xxx\n\/FontName \/xxx def \/Notice \(x+\) def 7 %x+\n/)
    expect(cleaned.length).toBe(head.length + font.length)
    expect(cleaned.split('zyx')).toHaveLength(2)
    expect(cleaned).toMatch(/\(xxx\) def currentfile eexec\n%\(zyx\)$/)
  }
  blankType1Names(Buffer.from(`%!${'(('.repeat(500_000)}`))
})

it('a CFF font loses its name and its notices, also those of its parts, and keeps its glyph names', () => {
  const index = (...items: Buffer[]) => {
    const ends = items.map((_, at) => 1 + joinPieces(...items.slice(0, at + 1)).length)
    return joinPieces(Buffer.from([0, items.length, 1, 1, ...ends]), ...items)
  }
  const build = (partsAt: number) => {
    const sid = (number: number, ...operator: number[]) => Buffer.from([28, 1, 0x87 + number, ...operator])
    const font = joinPieces(sid(0, 1), Buffer.from([30, 0x1a, 0x0f, 12, 8]), sid(1, 12, 0), sid(2, 2), sid(3, 5))
    const strings = ['notice', 'copyright', 'full name', 'A.glyph', 'part name'].map((name) => Buffer.from(name))
    return joinPieces(
      Buffer.from([1, 0, 4, 1]),
      index(Buffer.from('name')),
      index(joinPieces(font, Buffer.from([29, 0, 0, 0, partsAt, 12, 36]))),
      index(...strings),
      Buffer.from([0, 0]),
      index(sid(4, 12, 38)),
    )
  }
  const partsAt = build(0).length - 10
  const cleaned = text(blankCffNames(build(partsAt), noNames))
  expect(cleaned.length).toBe(build(0).length)
  expect(cleaned).toContain('A.glyph')
  expect(cleaned).not.toMatch(/name|notice|copyright/)
})

it('a character map keeps its mappings and the names that readers know', () => {
  const typed = `/Zyx /Y def /Ordering (Japan1) def /CMapName /UniJIS-UCS2-H def /WMode 1 def /H usecmap /Zyx usecmap
    2 beginbfrange <00> <01> [<0041> (B)] <02> <03 %zyx
> 7 zyx endbfrange (zyx) endcmap zyx`
  const map = text(cleanCharacterMap(Buffer.from(typed))).replace(/\s+/g, ' ')
  expect(map).toContain('/Ordering (Japan1)')
  expect(map).toContain('/CMapName /UniJIS-UCS2-H def')
  expect(map).toContain('/WMode 1 def /H usecmap 2 beginbfrange <00> <01> [ <0041> <42> ] <02> <03')
  expect(map).toContain('endbfrange endcmap CMapName currentdict')
  expect(map).not.toMatch(/zyx/i)
})
