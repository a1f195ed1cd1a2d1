import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { OperationsFilter } from 'pdfjs-dist/types/src/display/api'

/** Draws a page as large as fits into a box of so many points. @param operationsFilter which of its operations are drawn. */
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

/** A small picture of the first page, as an address in this page's memory. */
export async function drawThumbnail(pdf: PDFDocumentProxy): Promise<string> {
  // Twice the size it is shown in, for fine screens.
  const { canvas } = await drawPage(await pdf.getPage(1), { width: 160, height: 208 })
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp'))
  if (picture === null) throw new Error('The browser could not make a picture of the page')
  return URL.createObjectURL(picture)
}
