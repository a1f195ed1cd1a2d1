import { type AnonymiserLimits, anonymiserLimits } from '../../../packages/pdf-anonymiser/limits.ts'
import { hasPdfHeader, withPdfium } from '../../../packages/pdfium/pdfium.ts'

export type Inspection = { kind: 'ok'; pageCount: number } | { kind: 'locked' } | { kind: 'unreadable' }

const unreadable: Inspection = { kind: 'unreadable' }

/**
 * Checks whether PDFium can open the file and its first page. It may throw or never end on hostile bytes: run it in a
 * worker.
 */
export async function inspectPdf(
  bytes: Uint8Array,
  { pdfiumMaxHeapBytes }: Pick<AnonymiserLimits, 'pdfiumMaxHeapBytes'> = anonymiserLimits(bytes.length),
): Promise<Inspection> {
  if (!hasPdfHeader(bytes)) return unreadable
  return withPdfium(pdfiumMaxHeapBytes, (pdfium) => {
    const document = pdfium.open(bytes)
    if (document === 'locked') return { kind: 'locked' }
    if (document === 'unreadable') return unreadable
    if (document.pageCount < 1 || document.countPageObjects(0) === null) return unreadable
    return { kind: 'ok', pageCount: document.pageCount }
  })
}
