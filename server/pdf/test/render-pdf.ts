import { createHash } from 'node:crypto'
import { PDFiumLibrary } from '@hyzyla/pdfium'

export type Picture = { width: number; height: number; pixels: string }

let library: Promise<PDFiumLibrary> | undefined

/** The pages as a reader shows them, marks included. `pixels` is their digest: it compares by value and fits a terminal. */
export async function renderPdf(file: Uint8Array): Promise<Picture[]> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(file)
  const pictures: Picture[] = []
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: 1, render: 'bitmap' })
    pictures.push({ width, height, pixels: createHash('sha256').update(data).digest('hex') })
  }
  document.destroy()
  return pictures
}
