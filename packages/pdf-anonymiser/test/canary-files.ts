import { deflateSync } from 'node:zlib'
import { appendRevision, buildPdf, deflated, joinPieces, type Piece, stream } from '../../pdfium/test/build-pdf.ts'
import { headWithDates, realFont } from './real-font.ts'
import { tinyIccProfile, tinyJpeg, tinyJpx } from './tiny-pictures.ts'

/** The author's name, in a spelling that no program writes by chance. */
export const canary = 'Zyxwvut Canaryname'
const compact = 'ZyxwvutCanaryname'
const utf16 = `<FEFF${Buffer.from(canary, 'utf16le').swap16().toString('hex')}>`

const image = (data: Piece, entries: string) =>
  stream(data, `/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8${entries}`)
const jpeg = (segments: [number, Piece][], afterEnd?: Piece) =>
  drawing(image(tinyJpeg(segments, afterEnd), '/Filter/DCTDecode'))
const form = (entries: string, content = '0 0 5 5 re f') =>
  stream(content, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]${entries}`)
const drawing = (xObject: Piece, ...more: Piece[]) =>
  buildPdf({ resources: '/XObject<</X 6 0 R>>', content: '/X Do', objects: [xObject, ...more] })
const annotated = (annotation: string, ...more: Piece[]) =>
  buildPdf({ page: '/Annots[6 0 R]', objects: [`<</Type/Annot/Rect[9 9 99 99]${annotation}>>`, ...more] })
/** The picture of an annotation in which the name is written. */
const writtenName = form('', `BT /F1 9 Tf (${canary}) Tj ET`)
const xmp = `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>${canary}</dc:creator></x:xmpmeta>`
const metadata = stream(xmp, '/Type/Metadata/Subtype/XML')
const identity = `<x:xmpmeta><xmpMM:DocumentID>uuid:${compact}</xmpMM:DocumentID><xmpMM:InstanceID>${compact}</xmpMM:InstanceID>
  <xmpMM:History><stEvt:softwareAgent>${canary}</stEvt:softwareAgent></xmpMM:History></x:xmpmeta>`
const attachment = [
  stream(`by ${canary}`, `/Type/EmbeddedFile/Params<</CheckSum(${canary})/ModDate(${canary})>>`),
  `<</Type/Filespec/F(${canary}.txt)/UF${utf16}/Desc(${canary})/EF<</F 6 0 R>>>>`,
]
const fax = (data: Buffer) =>
  stream(
    joinPieces(data, canary),
    `/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 1
    /Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 1>>`,
  )
const inline = (head: string, data: string) => buildPdf({ content: `q 10 0 0 10 0 0 cm BI ${head} ID ${data} EI Q` })

const embedded = (subtype: string, file: string, program: Piece, entries = '') =>
  buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    content: 'BT /F2 24 Tf 20 150 Td (Notes) Tj ET',
    objects: [
      `<</Type/Font/Subtype/${subtype}/BaseFont/Hand/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126
        /Widths[${'600 '.repeat(95)}]/FontDescriptor 7 0 R>>`,
      `<</Type/FontDescriptor/FontName/Hand/Flags 32/FontBBox[0 0 9 9]/Ascent 9/Descent 0/CapHeight 9/StemV 1
        /ItalicAngle 0/${file} 8 0 R>>`,
      deflated(program, entries),
    ],
  })
const type1 = `%!PS-AdobeFont-1.0: Hand\ncurrentfile eexec\n${'x'.repeat(600)}`
const type1Trailer = `\n${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`

/** A character map as programs write it, with the author in every name. */
const characterMap = (mappings: string) => `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
  /CIDSystemInfo << /Registry (${canary}) /Ordering (${compact}) /Supplement 0 >> def /CMapName /${compact} def
  /CMapType 2 def (${canary}) pop /XUID [${compact}] def
  1 begincodespacerange <0000> <ffff> endcodespacerange ${mappings} ${compact}
  endcmap CMapName currentdict /CMap defineresource pop end end ${compact}`

/** One file for each place where a name can be hidden. */
export const canaryFiles: Record<string, Buffer> = {
  'the document information': buildPdf({
    objects: [
      `<</Author(${canary})/Title(${canary})/Subject(${canary})/Keywords(${canary})/Creator(${canary})
        /Producer(${canary})/CreationDate(${canary})/ModDate(${canary})/Company(${canary})>>`,
    ],
    trailer: '/Info 6 0 R',
  }),
  'the document information in UTF-16': buildPdf({ objects: [`<</Author${utf16}>>`], trailer: '/Info 6 0 R' }),
  'the document information with escapes': buildPdf({
    objects: [`<</Author(\\132yxwvut \\103anaryname)/#5ayxwvut#20Canaryname(x)>>`],
    trailer: '/Info 6 0 R',
  }),
  'XMP of the document': buildPdf({ catalog: '/Metadata 6 0 R', objects: [metadata] }),
  'packed XMP': buildPdf({ catalog: '/Metadata 6 0 R', objects: [deflated(xmp, '/Type/Metadata/Subtype/XML')] }),
  'ids and history in XMP': buildPdf({
    catalog: '/Metadata 6 0 R',
    objects: [stream(identity, '/Type/Metadata/Subtype/XML')],
  }),
  'the id in the trailer': buildPdf({ trailer: `/ID[(${canary})(${canary})]` }),
  'unknown keys everywhere': buildPdf({
    catalog: `/Zyx(${canary})`,
    tree: `/Zyx(${canary})`,
    page: `/Zyx(${canary})/${compact} 1`,
    resources: `/Zyx(${canary})`,
    contentDict: `/Zyx(${canary})`,
    trailer: `/Zyx(${canary})`,
  }),
  'XMP of a page': buildPdf({ page: '/Metadata 6 0 R', objects: [metadata] }),
  'XMP of the page tree': buildPdf({ tree: '/Metadata 6 0 R', objects: [metadata] }),
  'XMP of a picture': drawing(image('x', '/Metadata 7 0 R'), metadata),
  'XMP of a form': drawing(form('/Metadata 7 0 R'), metadata),
  'XMP of a font': buildPdf({
    resources: '/Font<</F1 7 0 R>>',
    objects: [metadata, '<</Type/Font/Subtype/Type1/BaseFont/Courier/Metadata 6 0 R>>'],
  }),
  'names of resources': buildPdf({
    resources: `/Font<</${compact} 5 0 R>>/XObject<</${compact} 6 0 R>>/ColorSpace<</${compact}[/CalGray<</WhitePoint[1 1 1]>>]>>
      /ExtGState<</${compact}<</LW 1>>>>/Properties<</${compact} 7 0 R>>/Pattern<</${compact}#20 8 0 R>>`,
    content: `BT /${compact} 24 Tf 20 150 Td (Notes) Tj ET /${compact} Do /${compact} cs 1 sc /${compact} gs /Pattern cs /${compact}#20 scn
      /OC /${compact} BDC EMC q BI /W 1/H 1/BPC 8/CS/${compact} ID x EI Q`,
    objects: [
      image('x', `/ColorSpace/${compact}`),
      '<</Type/OCG/Name(Layer)>>',
      '<</Type/Pattern/PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]/Function<</FunctionType 2/Domain[0 1]/N 1>>>>>>',
    ],
  }),
  'private data of programs': buildPdf({
    catalog: `/PieceInfo<</Word<</LastModified(D:2024)/Private(${canary})>>>>`,
    page: `/LastModified(${canary})/PieceInfo<</Illustrator<</Private 6 0 R>>>>`,
    objects: [stream(canary)],
  }),
  'private data in a form': drawing(
    form(`/PieceInfo<</A<</Private(${canary})>>>>/LastModified(${canary})/Name/${compact}`),
  ),
  'a form that represents another file': drawing(form(`/Ref<</F(${canary}.pdf)/Page 1>>/OPI<</2.0<</F(${canary})>>>>`)),
  'a preview of the page': buildPdf({ page: '/Thumb 6 0 R', objects: [image(canary, `/Zyx(${canary})`)] }),
  'other entries of a page': buildPdf({
    page: `/StructParents 0/Tabs/${compact}/ID(${canary})/VP[<</Name(${canary})>>]/B[6 0 R]/PresSteps<</NA(${canary})>>
      /SeparationInfo<</DeviceColorant/${compact}>>/AF[<</F(${canary})>>]/AA<</O<</S/JavaScript/JS(${canary})>>>>`,
    objects: [`<</T<</I<</Title(${canary})>>>>>>`],
  }),
  "a mark's author": annotated(
    `/Subtype/Highlight/QuadPoints[9 99 99 99 9 9 99 9]/C[1 1 0]/T(${canary})/RC(<p>${canary}</p>)/NM(${canary})
     /Subj(${canary})/M(${canary})/CreationDate(${canary})/Contents(${canary})/Popup 7 0 R`,
    `<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent 6 0 R/T(${canary})/Contents(${canary})>>`,
  ),
  'a comment and its reply': annotated(
    `/Subtype/Text/T(${canary})/Contents(${canary})/IRT 7 0 R`,
    `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents${utf16}/AP<</N 8 0 R>>>>`,
    form(`/Zyx(${canary})`),
  ),
  'a stamp': annotated(
    `/Subtype/Stamp/Name/${compact}/T(${canary})/AP<</N 7 0 R/R 8 0 R>>`,
    form(`/Metadata 9 0 R`),
    form('', `BT (${canary}) Tj ET`),
    metadata,
  ),
  'a hidden annotation': annotated('/Subtype/Stamp/F 2/AP<</N 7 0 R>>', writtenName),
  'an annotation that is only printed': annotated('/Subtype/Stamp/F 36/AP<</N 7 0 R>>', writtenName),
  'a popup': annotated(`/Subtype/Popup/Contents(${canary})/AP<</N 7 0 R>>`, writtenName),
  'a comment without a picture': annotated(`/Subtype/Text/T(${canary})/Contents(${canary})/Popup 7 0 R`, '<<>>'),
  'an attached file on a page': annotated(`/Subtype/FileAttachment/FS 7 0 R/T(${canary})`, ...attachment.slice(1)),
  'a link to a mailbox': annotated(`/Subtype/Link/A<</S/URI/URI(mailto:${compact}@uni.example)>>`),
  'a link with a user in it': annotated(`/Subtype/Link/A<</S/URI/URI(https://${compact}@uni.example/)>>`),
  'a link to a file': annotated(`/Subtype/Link/A<</S/GoToR/F(/home/${compact}/notes.pdf)/D[0/Fit]>>`),
  'a link that starts a program': annotated(`/Subtype/Link/A<</S/Launch/F(C:\\\\Users\\\\${compact}\\\\run.exe)>>`),
  'scripts of an annotation': annotated(
    `/Subtype/Link/A<</S/URI/URI(https://uni.example/)/Next<</S/JavaScript/JS(${canary})>>>>/AA<</E<</S/JavaScript/JS(${canary})>>>>`,
  ),
  'attachments of the document': buildPdf({
    catalog: `/Names<</EmbeddedFiles<</Names[(${canary})7 0 R]>>>>/AF[7 0 R]`,
    objects: attachment,
  }),
  'a portfolio': buildPdf({ catalog: `/Collection<</D(${canary})/Schema<</N<</N(${canary})>>>>>>` }),
  'scripts of the document': buildPdf({
    catalog: `/Names<</JavaScript<</Names[(${canary})<</S/JavaScript/JS(${canary})>>]>>>>
      /OpenAction<</S/JavaScript/JS 6 0 R>>/AA<</WC<</S/JavaScript/JS(${canary})>>>>`,
    objects: [stream(`app.alert("${canary}")`)],
  }),
  'names of places': buildPdf({
    catalog: `/Names<</Dests<</Names[(${canary})[3 0 R/Fit]]>>>>/Dests<</${compact}[3 0 R/Fit]>>`,
    page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(${canary})>>]`,
  }),
  'bookmarks and labels that hold the name of the author': buildPdf({
    trailer: '/Info 7 0 R',
    catalog: `/Outlines 6 0 R/PageLabels<</Nums[0<</P(${canary})>>]>>/Names<</Dests<</Names[(${canary})[3 0 R/Fit]]>>>>`,
    objects: [
      `<</Type/Outlines/First 8 0 R/Last 9 0 R/Count 2/Zyx(${canary})>>`,
      `<</Author(${canary})>>`,
      `<</Title(HW1_${compact.toUpperCase()})/Parent 6 0 R/Next 9 0 R/Dest(${canary})/SE<</T(${canary})>>/Zyx(${canary})>>`,
      `<</Title${utf16}/Parent 6 0 R/Prev 8 0 R/A<</S/JavaScript/JS(${canary})>>/First 10 0 R/Last 10 0 R/Count -1>>`,
      `<</Title(x)/Parent 9 0 R/A<</S/Launch/F(/home/${compact}/x)>>/AA<</D(${canary})>>>>`,
    ],
  }),
  tags: buildPdf({
    trailer: '/Info 6 0 R',
    catalog: `/Lang(en-${compact})/MarkInfo<</Marked true/Zyx(${canary})>>/StructTreeRoot 7 0 R`,
    page: '/StructParents 0',
    content: `/${compact} <</MCID 0/Lang(${canary})/ActualText${utf16}/Alt(${canary})/E(${canary})/Zyx(${canary})>>BDC
      BT /F1 24 Tf 20 150 Td (Notes) Tj ET EMC`,
    objects: [
      `<</Author(${canary})>>`,
      `<</Type/StructTreeRoot/K 8 0 R/RoleMap<</${compact}/P/Zyx/${compact}>>/ClassMap<</${compact}<</O/${compact}>>>>
        /IDTree<</Names[(${canary}) 8 0 R]>>/ParentTree<</Nums[0[8 0 R]]>>/Namespaces[<</NS(${canary})>>]/AF[<</F(${canary})>>]>>`,
      `<</Type/StructElem/S/${compact}/P 7 0 R/Pg 3 0 R/K[0 9 0 R]/T(${canary})/ID(${canary})/C/${compact}/Alt(by ${canary})
        /ActualText${utf16}/E(${canary})/Lang(${canary})/NS<</NS(${canary})>>/Ref[9 0 R]/PhoneticAlphabet/${compact}/Phoneme(${canary})
        /A[<</O/UserProperties/P[<</N(${canary})/V(${canary})>>]>><</O/Table/Summary(${canary})/Headers[(${canary})]>>]>>`,
      `<</Type/StructElem/S/Zyx/P 8 0 R/Alt(${canary})>>`,
    ],
  }),
  'other entries of the catalog': buildPdf({
    catalog: `/Lang(${canary})
      /URI<</Base(https://${compact}.example)>>/OutputIntents[<</Info(${canary})>>]/Legal<</Attestation(${canary})>>
      /Extensions<</${compact}<<>>>>/Perms<<>>/SpiderInfo<<>>/Threads[]/ViewerPreferences<<>>`,
  }),
  'a filled-in form': buildPdf({
    catalog: `/AcroForm<</Fields[6 0 R]/XFA(${canary})/DA(/F1 9 Tf)>>`,
    page: '/Annots[6 0 R]',
    objects: [
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${canary})/TU(${canary})/TM(${canary})/V(${canary})/DV(${canary})
        /Rect[9 9 99 99]/AP<</N 7 0 R>>/MK<</CA(${canary})>>>>`,
      form('', '/Tx BMC BT /F1 9 Tf (typed) Tj ET EMC'),
    ],
  }),
  'a form without appearances': buildPdf({
    catalog: `/AcroForm<</Fields[6 0 R]/DR<</Font<</${compact} 5 0 R>>>>>>`,
    page: '/Annots[6 0 R]',
    objects: [
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${canary})/TU(${canary})/V(typed)/DV(${canary})/DA(/${compact} 9 Tf ${canary} 0 g)
        /Rect[9 9 99 99]/MK<</CA(${canary})>>>>`,
    ],
  }),
  'a ticked box': buildPdf({
    catalog: '/AcroForm<</Fields[6 0 R]>>',
    page: '/Annots[6 0 R]',
    objects: [
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(${canary})/V/${compact}/AS/${compact}/Rect[9 9 99 99]
        /AP<</N<</${compact} 7 0 R/Off 8 0 R>>>>>>`,
      form(''),
      form('', `BT (${canary}) Tj ET`),
    ],
  }),
  'a signature': buildPdf({
    catalog: '/AcroForm<</Fields[6 0 R]/SigFlags 3>>/Perms<</DocMDP 7 0 R>>',
    page: '/Annots[6 0 R]',
    objects: [
      '<</Type/Annot/Subtype/Widget/FT/Sig/Rect[9 9 99 99]/V 7 0 R/AP<</N 8 0 R>>>>',
      `<</Type/Sig/Name(${canary})/Reason(${canary})/Location(${canary})/ContactInfo(${canary})/Contents<00>>>`,
      writtenName,
    ],
  }),
  'an earlier revision': appendRevision(
    buildPdf({ content: `BT /F1 24 Tf 20 150 Td (${canary}) Tj ET` }),
    4,
    stream('BT /F1 24 Tf 20 150 Td (Notes) Tj ET'),
  ),
  'an object nothing refers to': buildPdf({ objects: [`<</Author(${canary})>>`, deflated(canary)] }),
  'between the objects and after the end': joinPieces(buildPdf(), `% ${canary}\n9 0 obj(${canary})endobj\n`),
  EXIF: jpeg([[0xe1, `Exif\0\0MM\0*\0\0\0\x08\0\0${canary}`]]),
  'XMP of a JPEG': jpeg([[0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`]]),
  IPTC: jpeg([[0xed, `Photoshop 3.0\x008BIM\x04\x04${canary}`]]),
  'the comment of a JPEG': jpeg([[0xfe, canary]]),
  'other segments of a JPEG': jpeg([
    [0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01${canary}`],
    [0xe0, `JFXX\0\x10${canary}`],
    [0xe2, `ICC_PROFILE\0\x01\x01${canary}`],
    [0xee, `Adobe\0d\0\0\0\0\0${canary}`],
    [0xeb, canary],
  ]),
  'behind the end of a JPEG': jpeg([], canary),
  'a JPEG in another packing': drawing(
    image(`${tinyJpeg([[0xfe, canary]]).toString('hex')}>`, '/Filter[/ASCIIHexDecode/DCTDecode]'),
  ),
  'a JPEG 2000 picture': drawing(image(tinyJpx({ comment: canary, xml: xmp }), '/Filter/JPXDecode')),
  'behind the colours of a JPEG 2000 picture': drawing(
    image(
      tinyJpx({ comment: '', xml: '', colours: [`\x01\0\0\0\0\0\x11${canary}`, `\x04\0\0${canary}`] }),
      '/Filter/JPXDecode',
    ),
  ),
  'a colour profile': buildPdf({
    resources: '/ColorSpace<</C[/ICCBased 6 0 R]>>',
    content: '/C cs 0 0 0 sc 0 0 9 9 re f',
    objects: [deflated(tinyIccProfile(canary), '/N 3')],
  }),
  inks: buildPdf({
    resources: `/ColorSpace<</C[/DeviceN[/Cyan]/DeviceGray 6 0 R<</Colorants<</${compact} null>>/Zyx(${canary})>>]>>`,
    content: '/C cs 1 sc 0 0 9 9 re f',
    objects: [`<</FunctionType 4/Domain[0 1]/Range[0 1]/Length 20>>\nstream\n{ } %${canary.slice(0, 15)}\nendstream`],
  }),
  'comments of a page description': buildPdf({
    content: `% ${canary}\nBT /F1 24 Tf [(No)%${canary}\n(tes)] TJ ET %${canary}`,
  }),
  'marked content': buildPdf({
    trailer: '/Info 7 0 R',
    resources: `/Properties<</MC0<</Title(${canary})/Metadata 6 0 R>>>>`,
    content: `/PlacedPDF /MC0 BDC /Span<</ActualText(${canary})/E${utf16}>>BDC /${compact} BMC
      BT /F1 24 Tf (Notes) Tj ET EMC EMC EMC /${compact} MP /Zyx<</Author(${canary})>>DP`,
    objects: [metadata, `<</Author(${canary})>>`],
  }),
  'words that are no operators': buildPdf({ content: `BT /F1 24 Tf (Notes) Tj ET (${canary}) author ${compact}` }),
  'operands that no reader draws': buildPdf({
    content: `BT /F1 24 Tf 9${compact} [(Notes)/${compact}<</A(${canary})>>]TJ (${canary})(Notes)Tj /${compact} ri
      /Zyx %${canary}\n 1 w ET`,
  }),
  'an inline picture': inline(`/W 1/H 1/CS/G/BPC 8/Zyx(${canary})`, 'x'),
  'the entries of an inline picture': inline(
    `/Width 1/H 1/BPC 8/CS[/I/G 0(x${canary})]/I(${canary})/DP<</Zyx(${canary})/K[(${canary})]>>/D[(${canary})]`,
    'x',
  ),
  'an inline JPEG': inline('/W 1/H 1/CS/G/BPC 8/F/DCT', tinyJpeg([[0xfe, canary]]).toString('latin1')),
  layers: buildPdf({
    catalog: `/OCProperties<</OCGs[6 0 R]/D<</Name(${canary})/Creator(${canary})/Order[(${canary})6 0 R]/ON[6 0 R]>>>>`,
    resources: '/Properties<</L 6 0 R>>',
    content: '/OC /L BDC BT /F1 24 Tf (Notes) Tj ET EMC',
    objects: [`<</Type/OCG/Name(${canary})/Usage<</CreatorInfo<</Creator(${canary})>>/User<</Name(${canary})>>>>>>`],
  }),
  'a character map': buildPdf({
    resources: '/Font<</F1 7 0 R>>',
    objects: [
      stream(`%!PS\n%%Author: ${canary}\n/CIDInit /ProcSet findresource begin`),
      `<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 6 0 R/Name/${compact}/Zyx(${canary})>>`,
    ],
  }),
  'the program around a character map': buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    content: 'BT /F2 24 Tf 20 150 Td <0041> Tj ET',
    objects: [
      '<</Type/Font/Subtype/Type0/BaseFont/Courier/Encoding 9 0 R/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Courier/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
      stream(characterMap('1 beginbfchar <0041> <004E> endbfchar'), `/CMapName/${compact}`),
      stream(characterMap('1 begincidrange <0000> <ffff> 0 endcidrange'), `/Type/CMap/CMapName/${compact}/WMode 0`),
    ],
  }),
  'a calculator function': buildPdf({
    resources: `/ColorSpace<</C[/Separation/Gold/DeviceGray 6 0 R]>>`,
    content: '/C cs 1 sc 0 0 9 9 re f',
    objects: [stream(`{ } ${compact}`, '/FunctionType 4/Domain[0 1]/Range[0 1]')],
  }),
  'the tables of a font that do not draw': embedded(
    'TrueType',
    'FontFile2',
    realFont({ name: canary, meta: canary, DSIG: canary, FFTM: canary, PfEd: canary, Zyxw: canary }),
  ),
  'behind the tables of a font': embedded('TrueType', 'FontFile2', realFont({}, canary)),
  'the dates of a font': embedded('TrueType', 'FontFile2', realFont({ head: headWithDates(compact) })),
  'behind the closing zeros of a font': embedded(
    'Type1',
    'FontFile',
    `${type1}${type1Trailer}${canary}`,
    '/Length1 42/Length2 600/Length3 900',
  ),
  'behind the lengths of a font': embedded(
    'Type1',
    'FontFile',
    `${type1}${canary}`,
    '/Length1 42/Length2 600/Length3 0',
  ),
  'behind the last segment of a font': embedded(
    'Type1',
    'FontFile',
    joinPieces(Buffer.of(0x80, 1, 8, 0, 0, 0), '%!PS-Ado', Buffer.of(0x80, 3), canary),
  ),
  'texts of a font before its encrypted part': embedded(
    'Type1',
    'FontFile',
    `%!PS-AdobeFont-1.0: Hand\n/Notice (a (b (c (${canary})))) def 7 % ${canary}\n%(${canary}\ncurrentfile eexec\n${type1Trailer}`,
    '/Length1 42/Length2 600/Length3 900',
  ),
  'a font descriptor': buildPdf({
    resources: '/Font<</F1 7 0 R>>',
    objects: [
      `<</Type/FontDescriptor/FontName/Courier/FontFamily(${canary})/CharSet(${canary})/Lang/${compact}/Flags 32>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Courier/FontDescriptor 6 0 R>>',
    ],
  }),
  'the set of characters in a font': buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    objects: [
      '<</Type/Font/Subtype/Type0/BaseFont/Courier/Encoding/Identity-H/DescendantFonts[7 0 R]>>',
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Courier/FontDescriptor 8 0 R>>',
      '<</Type/FontDescriptor/FontName/Courier/Flags 4/CIDSet 9 0 R>>',
      stream(canary),
    ],
  }),
  'the name of a character collection': buildPdf({
    resources: '/Font<</F2 6 0 R>>',
    objects: [
      '<</Type/Font/Subtype/Type0/BaseFont/Courier/Encoding/Identity-H/DescendantFonts[7 0 R]>>',
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/Courier/CIDSystemInfo<</Registry(${compact})/Ordering${utf16}/Supplement 0>>>>`,
    ],
  }),
  'graphics states': buildPdf({
    resources: `/ExtGState<</G<</Type/ExtGState/LW 2/HT<</HalftoneType 1/HalftoneName(${canary})>>/Zyx(${canary})>>>>`,
    content: '/G gs 0 0 9 9 re S',
  }),
  'other versions of a picture': drawing(
    image('x', `/Alternates[<</Image 7 0 R>>]/Name/${compact}/ID(${canary})/OPI<</1.3<</F(${canary})>>>>`),
    image(canary, ''),
  ),
  'behind the pixels of a picture': drawing(image(`x${canary}`, '')),
  'behind the pixels of a packed picture': drawing(image(deflateSync(`x${canary}`), '/Filter/FlateDecode')),
  'behind the predicted rows of a picture': drawing(
    image(deflateSync(`\0x${canary}`), '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 1>>'),
  ),
  'behind the pixels of a picture in base 16': drawing(
    image(`78${Buffer.from(canary).toString('hex')}>`, '/Filter/ASCIIHexDecode'),
  ),
  'behind the colours of a palette': buildPdf({
    resources: `/ColorSpace<</C[/Indexed/DeviceRGB 0(rgb${canary})]/D[/Indexed/DeviceRGB 0 6 0 R]>>`,
    objects: [stream(`rgb${canary}`)],
  }),
  'behind the pixels of an inline picture': inline('/W 1/H 1/CS/G/BPC 8', `x${canary}`),
  'behind the pixels of an inline picture in base 16': inline(
    '/W 1/H 1/CS/G/BPC 8/F/AHx',
    `78${Buffer.from(canary).toString('hex')}>`,
  ),
  'behind the end of an inline picture in runs': inline('/W 1/H 1/CS/G/BPC 8/F/RL', `\0x\x80${canary}`),
  'behind the end of fax data': drawing(fax(Buffer.from('80080080', 'hex'))),
  'below the last row of fax data': drawing(fax(Buffer.of(0x80))),
  'behind the end of an inline fax': inline(
    '/W 1/H 1/CS/G/BPC 1/F/CCF/DP<</K -1/Columns 1>>',
    `\x80\x08\0\x80${canary}`,
  ),
  'the style of a text': annotated(`/Subtype/FreeText/Contents(x)/DA(/Helv 12 Tf ${canary} 0 g)`),
  'the font of a text': annotated(`/Subtype/FreeText/Contents(x)/DA(/${compact} 12 Tf 0 g)`),
  'behind the end of packed data': drawing(image(joinPieces(deflateSync('x'), canary), '/Filter/FlateDecode')),
  'behind the end of other packings': drawing(image(`78>${canary}`, '/Filter/ASCIIHexDecode')),
}
