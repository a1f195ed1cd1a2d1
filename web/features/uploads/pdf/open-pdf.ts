import type { PDFDocumentProxy } from 'pdfjs-dist'
import { assets, pdfjs } from '../../../platform/pdf/pdfjs.ts'

/** Images with more pixels are not decoded, because the page is only previewed here. */
const maxImagePoints = 2 ** 26

/** Reading the file took longer than the limit. */
class PdfTimeoutError extends Error {}

/**
 * Opens a PDF for `use`, for at most `timeoutMs`. Each PDF has its own worker, which is destroyed afterwards together
 * with stuck tasks and memory. @throws the error of pdf.js for a broken file, `PasswordException` for a locked one,
 * `PdfTimeoutError`
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
    // Destroying the document also removes the fonts that it added to this page.
    const used = loading.promise.then(use).finally(() => loading.destroy())
    return await Promise.race([used, tooSlow])
  } finally {
    clearTimeout(timer)
    worker.destroy()
  }
}
