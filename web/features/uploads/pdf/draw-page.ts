import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { OperationsFilter } from 'pdfjs-dist/types/src/display/api'

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

/** Returns a thumbnail of the first page as an object URL. */
export async function drawThumbnail(pdf: PDFDocumentProxy): Promise<string> {
  // The size is twice the displayed one, for high-resolution screens.
  const { canvas } = await drawPage(await pdf.getPage(1), { width: 160, height: 208 })
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp'))
  if (picture === null) throw new Error('The browser could not make a picture of the page')
  return URL.createObjectURL(picture)
}
