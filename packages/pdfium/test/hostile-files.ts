import { createDeflate, deflateSync } from 'node:zlib'
import { PDFDocument } from '@cantoo/pdf-lib'
import { buildPdf, drawing, joinPieces, layOut, stream } from './build-pdf.ts'

const catalog = '<</Type/Catalog/Pages 2 0 R>>'

/** Files that are not PDFs or that cannot be opened. */
export const brokenFiles: Record<string, Uint8Array> = {
  nothing: new Uint8Array(),
  'one byte': Uint8Array.of(0x25),
  'a header alone': Buffer.from('%PDF-1.7\n'),
  'a header and an end': Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF\n'),
  'zeros after a header': joinPieces('%PDF-1.7\n', Buffer.alloc(100_000)),
  'a web page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a web page that is a PDF too': joinPieces('<!doctype html><script>/*', buildPdf()),
  'an archive that is a PDF too': joinPieces('PK\x03\x04', buildPdf()),
  'a PDF behind a kilobyte of something else': joinPieces('x'.repeat(2_000), buildPdf()),
  'the first half': buildPdf({ objects: ['<<>>'] }).subarray(0, 300),
  'no pages': layOut([catalog, '<</Type/Pages/Kids[]/Count 0>>']),
  'a page that is not there': layOut([catalog, '<</Type/Pages/Kids[9 0 R]/Count 1>>']),
  'a page tree in a circle': layOut([catalog, '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  'a tree that is its own parent': layOut([
    catalog,
    '<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>',
    '<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>',
  ]),
  'no catalog': layOut(['<<>>']),
}

/** A page with every kind of external reference: programs, forms, streams, fonts and metadata. */
export const makePointingFile = (url: string): Buffer =>
  buildPdf({
    catalog: `/Metadata 6 0 R/OpenAction<</S/Launch/F(/bin/sh)/Next<</S/URI/URI(${url})>>>>
      /AA<</WC<</S/SubmitForm/F<</FS/URL/F(${url})>>>>>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(this.submitForm("${url}"))>>]>>>>`,
    page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToR/F<</FS/URL/F(${url})>>/D[0/Fit]>>>>]`,
    resources: '/XObject<</X 7 0 R/P 8 0 R>>',
    content: 'BT /F1 24 Tf 20 150 Td (Notes) Tj ET /X Do /P Do',
    objects: [
      stream(
        `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY u SYSTEM "${url}">]><x>&e;&u;</x>`,
        '/Type/Metadata/Subtype/XML',
      ),
      stream('', `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/F<</FS/URL/F(${url})>>/FFilter/FlateDecode`),
      stream('', `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Ref<</F<</FS/URL/F(${url})>>/Page 0>>`),
    ],
  })

/** Files that must be processed quickly, readable or not: the first page may be fine, or never be reached. */
export function makeTrickyFiles(): Record<string, Uint8Array> {
  const deep = 200_000
  const table = buildPdf().toString('latin1')
  const tableAt = table.lastIndexOf('xref\n0')
  return {
    'a table that names itself as the previous one': Buffer.from(
      table.replace('/Root', `/Prev ${tableAt}/Root`),
      'latin1',
    ),
    'arrays in arrays': buildPdf({ objects: [`${'['.repeat(deep)}${']'.repeat(deep)}`], catalog: '/A 6 0 R' }),
    'a page description of open brackets': buildPdf({ content: '['.repeat(deep) }),
    'saved states without end': buildPdf({ content: 'q '.repeat(deep) }),
    'a length that refers to itself': buildPdf({
      objects: ['<</Length 6 0 R>>\nstream\nx\nendstream'],
      page: '/A 6 0 R',
    }),
    'a form that draws itself': drawing(
      '/X Do',
      stream('/X Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>'),
    ),
    'a number of pages out of thin air': layOut([
      catalog,
      '<</Type/Pages/Kids[3 0 R]/Count 2147483647>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ]),
    'words that could begin packed objects': buildPdf({ objects: [stream('/ObjStm stream\n'.repeat(200_000))] }),
    'page labels below themselves': buildPdf({
      catalog: '/PageLabels 6 0 R',
      objects: [`<</Kids[${'6 0 R '.repeat(10)}]>>`],
    }),
    'named places below themselves': buildPdf({
      catalog: '/Names<</Dests 6 0 R>>',
      objects: [`<</Kids[${'6 0 R '.repeat(10)}]>>`],
    }),
    'a page tree whose nodes share one another': layOut([
      catalog,
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      ...Array.from({ length: 15 }, (_, at) => `<</Type/Pages/Kids[${`${at + 5} 0 R `.repeat(10)}]/Count 0>>`),
      '<</Type/Pages/Kids[]/Count 0>>',
    ]),
    'filters of filters': buildPdf({ content: 'x', contentDict: `/Filter[${'/ASCIIHexDecode'.repeat(5_000)}]` }),
  }
}

/** Draws a form a hundred thousand times that is slow to parse and draws nothing: this takes hours but no memory. */
export function makeEndlessFile(): Buffer {
  const form = stream('q Q '.repeat(250_000), '/Type/XObject/Subtype/Form/BBox[0 0 9 9]')
  return drawing('/X Do '.repeat(100_000), form)
}

/** Nests forms twelve levels deep, each drawing ten others: more objects than fit in any memory. */
export function makeExplodingFile(): Buffer {
  const levels = 12
  const draw = '/X Do '.repeat(10)
  const forms = Array.from({ length: levels }, (_, level) =>
    stream(
      level === levels - 1 ? '0 0 9 9 re f' : draw,
      `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${7 + level} 0 R>>>>`,
    ),
  )
  return drawing(draw, ...forms)
}

/** Makes a content stream that decompresses to `megabytes` of blanks from a thousandth of that. */
export async function makeBomb(megabytes: number): Promise<Buffer> {
  const pack = createDeflate({ level: 1 })
  const megabyte = Buffer.alloc(1024 * 1024, ' ')
  const packed: Buffer[] = []
  const done = new Promise((resolve, reject) => pack.on('end', resolve).on('error', reject))
  pack.on('data', (piece: Buffer) => packed.push(piece))
  for (let written = 0; written < megabytes; written++) {
    if (!pack.write(megabyte)) await new Promise((resolve) => pack.once('drain', resolve))
  }
  pack.end()
  await done
  return buildPdf({ content: Buffer.concat(packed), contentDict: '/Filter/FlateDecode' })
}

/** @param userPassword is empty for a file that opens without a password but may not be changed. */
export async function makeEncryptedFile(userPassword: string): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage([300, 200])
  document.encrypt({ userPassword, ownerPassword: 'owner', permissions: { modifying: false } })
  return document.save()
}

/** Makes small pages that share one content stream or form, which decompresses to a thousand times its size. */
export function makeSharingFile(pages: number, unpackedBytes: number, pageOf: (page: number) => string): Buffer {
  const first = 5
  const kids = Array.from({ length: pages }, (_, page) => `${first + page * 2} 0 R`).join(' ')
  const shared = deflateSync(Buffer.alloc(unpackedBytes, '1 w q Q '))
  return layOut([
    catalog,
    `<</Type/Pages/Kids[${kids}]/Count ${pages}/MediaBox[0 0 300 200]>>`,
    stream(shared, '/Filter/FlateDecode'),
    stream(shared, '/Filter/FlateDecode/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
    ...Array.from({ length: pages }, (_, page) => [
      `<</Type/Page/Parent 2 0 R ${pageOf(first + page * 2 + 1)}>>`,
      stream('2 w'),
    ]).flat(),
  ])
}

/**
 * The shared object is number 3 as a content stream and 4 as a form; `own` is the number of the page's own small
 * stream.
 */
export const sharingPages: Record<string, (own: number) => string> = {
  'one description': () => '/Contents 3 0 R',
  'one description as the only piece': () => '/Contents[3 0 R]',
  'one form': (own) => `/Contents ${own} 0 R/Resources<</XObject<</X 4 0 R>>>>`,
}
export const unsharedPages = (own: number) => `/Contents[3 0 R ${own} 0 R]`
