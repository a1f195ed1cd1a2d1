import { createPdfium } from './pdfium.ts'

export type Inspection = { kind: 'ok'; pageCount: number } | { kind: 'locked' } | { kind: 'unreadable' }

const unreadable: Inspection = { kind: 'unreadable' }

/**
 * The header must open the file; only blanks or a byte order mark may stand before it. Readers tolerate any 1,024
 * bytes there, and that is the room in which a file can be a web page, a script or an archive as well as a PDF
 * (THREATS.md D2).
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  return /^(\xef\xbb\xbf)?[ \t\r\n]*%PDF-/.test(start)
}

/** Whether PDFium can open the file and show a first page. May throw or never end on hostile bytes: run it in a worker. */
export async function inspectPdf(bytes: Uint8Array): Promise<Inspection> {
  if (!hasPdfHeader(bytes)) return unreadable
  const document = (await createPdfium()).open(bytes)
  if (document === 'locked') return { kind: 'locked' }
  if (document === 'unreadable') return unreadable
  if (document.pageCount < 1 || document.countPageObjects(0) === null) return unreadable
  return { kind: 'ok', pageCount: document.pageCount }
}
