import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { OperationsFilter } from 'pdfjs-dist/types/src/display/api'
import { assets, pdfjs } from '../../../platform/pdf/pdfjs.ts'

/** Images with more pixels are not decoded, because the page is only previewed here. */
const maxImagePoints = 2 ** 26

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

/** Draws a page as large as fits into a box in pixels. @param operationsFilter selects the operations to draw. */
export async function drawPage(
  page: PDFPageProxy,
  box: { width: number; height: number },
  operationsFilter?: OperationsFilter,
) {
  const whole = page.getViewport({ scale: 1 })
  const scale = Math.min(box.width / whole.width, box.height / whole.height)
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(viewport.width))
  canvas.height = Math.max(1, Math.round(viewport.height))
  await page.render({ canvas, viewport, background: '#fff', operationsFilter }).promise
  return { canvas, viewport }
}

export async function drawThumbnail(pdf: PDFDocumentProxy): Promise<string> {
  // The size is twice the displayed one, for high-resolution screens.
  const { canvas } = await drawPage(await pdf.getPage(1), { width: 160, height: 208 })
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp'))
  if (picture === null) throw new Error('The browser could not make a picture of the page')
  return URL.createObjectURL(picture)
}
