import type { PDFDocumentProxy } from 'pdfjs-dist'
import { assets, pdfjs } from '../../../platform/pdf/pdfjs.ts'

/** Pictures with more points are left out: a page is only looked at here. */
const maxImagePoints = 2 ** 26

/** The file is given up: it takes too long to read. */
class PdfTimeoutError extends Error {}

/**
 * Lends an open PDF to `use`, for so long at most. Each has a worker of its own, which ends with it: what hangs or eats
 * memory is gone then. @throws what pdf.js says of a broken file, `PasswordException` of a locked one, `TooSlow`
 */
export async function withPdf<T>(
  content: ArrayBuffer,
  limitMs: number,
  use: (pdf: PDFDocumentProxy) => Promise<T>,
): Promise<T> {
  const worker = new pdfjs.PDFWorker()
  const loading = pdfjs.getDocument({
    ...assets,
    data: content,
    worker,
    maxImageSize: maxImagePoints,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    disableWorkerRendering: true,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PdfTimeoutError()), limitMs)
  })
  try {
    // Its end takes the fonts along that it put into this page.
    const used = loading.promise.then(use).finally(() => loading.destroy())
    return await Promise.race([used, tooSlow])
  } finally {
    clearTimeout(timer)
    worker.destroy()
  }
}
