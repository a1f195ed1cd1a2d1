import { layOut, type Piece, stream } from '../../packages/pdfium/test/build-pdf.ts'

function pageWith(content: string, ...more: Piece[]): [catalog: string, tree: string, page: string, ...Piece[]] {
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ]
}

/** Makes a page with a text, so that files can be distinguished. The text is ASCII without parentheses. */
export const createPdfWithText = (text: string): Buffer => layOut(pageWith(`BT /F1 24 Tf 72 720 Td (${text}) Tj ET`))

/** Makes a readable PDF of exactly this many bytes; the minimum is about a thousand. */
export function pdfOfBytes(bytes: number): Buffer {
  const make = (padding: number) => layOut(pageWith('BT ET', stream('x'.repeat(padding))))
  let padding = bytes - make(0).length
  // The digits of lengths count too, so the first estimate may be off by a few bytes.
  for (let attempt = 0; attempt < 5; attempt++) {
    const made = make(padding)
    if (made.length === bytes) return made
    padding -= made.length - bytes
  }
  throw new Error(`No PDF has exactly ${bytes} bytes`)
}

/** Makes a PDF with an author in its document information. */
export function pdfByAuthor(author: string): Buffer {
  return layOut(pageWith('BT /F1 24 Tf 72 720 Td (Notes) Tj ET', `<< /Author (${author}) >>`), '/Info 6 0 R')
}

/**
 * Makes a PDF without an author in its document information, with the given bookmark, alternative text and page label.
 * The next bookmark is `Contents`. The texts are Latin letters without parentheses.
 */
export function createPdfWithAuxiliaryText(bookmark: string, alternative: string, label: string): Buffer {
  const [catalog, tree, page, ...more] = pageWith(
    '/Figure << /MCID 0 >> BDC BT /F1 24 Tf 72 720 Td (Notes) Tj ET EMC',
    '<< /Type /Outlines /First 7 0 R /Last 8 0 R /Count 2 >>',
    `<< /Title (${bookmark}) /Parent 6 0 R /Next 8 0 R /Dest [3 0 R /Fit] >>`,
    '<< /Title (Contents) /Parent 6 0 R /Prev 7 0 R /Dest [3 0 R /Fit] >>',
    '<< /Type /StructTreeRoot /K 10 0 R /ParentTree << /Nums [0 [10 0 R]] >> >>',
    `<< /Type /StructElem /S /Figure /P 9 0 R /Pg 3 0 R /K 0 /Alt (${alternative}) >>`,
  )
  const beside = `/Outlines 6 0 R /StructTreeRoot 9 0 R /MarkInfo << /Marked true >>
    /PageLabels << /Nums [0 << /S /D /P (${label}) >>] >> >>`
  return layOut([catalog.replace('>>', beside), tree, page.replace('/Page ', '/Page /StructParents 0 '), ...more])
}

/** Makes a PDF of two pages, the second of which has an image in a format that no reader knows. */
export function createPdfToRasterise(author: string): Buffer {
  const page = (resources: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 6 0 R >> ${resources} >> >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(''),
    page('/XObject << /X 7 0 R >>'),
    stream('BT /F1 24 Tf 72 720 Td (Eigenvalues) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream('x', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /Unknown'),
    `<< /Author (${author}) >>`,
  ]
  return layOut(objects, '/Info 8 0 R')
}

/** Makes a PDF with an unknown password. */
export function lockedPdf(): Buffer {
  const secret = `<${'5a'.repeat(32)}>`
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -44 >>`
  const id = '<00112233445566778899aabbccddeeff>'
  return layOut(pageWith('BT ET', encrypt), `/Encrypt 6 0 R /ID [${id} ${id}]`)
}
