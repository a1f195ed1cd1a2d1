import { type AnonymiserLimits, anonymiserLimits } from '../../../packages/pdf-anonymiser/limits.ts'
import { hasPdfHeader, type PdfiumDocument, withPdfium } from '../../../packages/pdfium/pdfium.ts'

export type Inspection = { kind: 'ok'; pageCount: number } | { kind: 'locked' } | { kind: 'unreadable' }

/** Works on a document. It may throw or never end on hostile bytes: run it in a worker. */
export const withDocument = <T>(
  bytes: Uint8Array,
  maxHeapBytes: number,
  work: (document: PdfiumDocument) => T,
): Promise<T | 'locked' | 'unreadable'> =>
  withPdfium(maxHeapBytes, (pdfium) => {
    const document = pdfium.open(bytes)
    return typeof document === 'string' ? document : work(document)
  })

/** Checks whether PDFium can open the file and its first page. Run it in a worker, too. */
export async function inspectPdf(
  bytes: Uint8Array,
  { pdfiumMaxHeapBytes }: Pick<AnonymiserLimits, 'pdfiumMaxHeapBytes'> = anonymiserLimits(bytes.length),
): Promise<Inspection> {
  if (!hasPdfHeader(bytes)) return { kind: 'unreadable' }
  const found = await withDocument(bytes, pdfiumMaxHeapBytes, (document): Inspection => {
    const isReadable = document.pageCount >= 1 && document.countPageObjects(0) !== null
    return isReadable ? { kind: 'ok', pageCount: document.pageCount } : { kind: 'unreadable' }
  })
  return typeof found === 'string' ? { kind: found } : found
}
