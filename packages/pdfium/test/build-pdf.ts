import { deflateSync } from 'node:zlib'

export type Piece = string | Uint8Array

export type PdfParts = {
  /** Additional entries for the catalog; the following fields are for the page tree, page, resources and trailer. */
  catalog?: string
  tree?: string
  page?: string
  resources?: string
  trailer?: string
  content?: Piece
  contentDict?: string
  /** Objects from number 6 on; `null` leaves its number unused. */
  objects?: (Piece | null)[]
}

/**
 * Builds a file of one page with the text "Notes" and the given parts. Objects 1 to 5: catalog, tree, page, content,
 * font.
 */
export function buildPdf(parts: PdfParts = {}): Buffer {
  return layOut(
    [
      `<</Type/Catalog/Pages 2 0 R ${parts.catalog ?? ''}>>`,
      `<</Type/Pages/Kids[3 0 R]/Count 1 ${parts.tree ?? ''}>>`,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R ${parts.page ?? ''}
        /Resources<</Font<</F1 5 0 R>> ${parts.resources ?? ''}>>>>`,
      stream(parts.content ?? 'BT /F1 24 Tf 20 150 Td (Notes) Tj ET', parts.contentDict),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...(parts.objects ?? []),
    ],
    parts.trailer,
  )
}

/** Builds a file whose page draws the first of these objects, a picture or a form, by `content`. */
export const drawing = (content: string, ...objects: Piece[]): Buffer =>
  buildPdf({ resources: '/XObject<</X 6 0 R>>', content, objects })

export function stream(data: Piece, entries = ''): Buffer {
  return joinPieces(
    `<<${entries} /Length ${Buffer.from(data as string, 'latin1').length} >>\nstream\n`,
    data,
    '\nendstream',
  )
}

export const deflated = (data: Piece, entries = ''): Buffer =>
  stream(deflateSync(Buffer.from(data as string, 'latin1')), `/Filter/FlateDecode ${entries}`)

/**
 * Writes objects numbered from 1, the first of which is the catalog. The backup of release 1.0.0 contains such a file, so
 * the bytes that this and `stream` write must stay the same.
 */
export function layOut(objects: (Piece | null)[], trailer = ''): Buffer {
  const pieces: Piece[] = ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n']
  let size = joinPieces(...pieces).length
  const entries = objects.map((object, at) => {
    if (object === null) return '0000000000 65535 f \n'
    const piece = joinPieces(`${at + 1} 0 obj\n`, object, '\nendobj\n')
    pieces.push(piece)
    size += piece.length
    return `${String(size - piece.length).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  pieces.push(`xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`)
  pieces.push(`trailer\n<< /Size ${count} /Root 1 0 R ${trailer}>>\nstartxref\n${size}\n%%EOF\n`)
  return joinPieces(...pieces)
}

/** Appends a revision that replaces one object, as an editor does for a quick save. */
export function appendRevision(file: Buffer, number: number, object: Piece): Buffer {
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1'))?.[1]
  const piece = joinPieces(`${number} 0 obj\n`, object, '\nendobj\n')
  const offset = String(file.length).padStart(10, '0')
  const table = `xref\n${number} 1\n${offset} 00000 n \ntrailer\n<</Size 100/Root 1 0 R/Prev ${previous}>>\n`
  return joinPieces(file, piece, `${table}startxref\n${file.length + piece.length}\n%%EOF\n`)
}

/** Strings are encoded as one byte per character. */
export const joinPieces = (...pieces: Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, 'latin1')))
