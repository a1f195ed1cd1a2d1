import { PDFiumLibrary } from '@hyzyla/pdfium'

export type Picture = { width: number; height: number; pixels: string }

let library: Promise<PDFiumLibrary> | undefined

/** The pages as a reader shows them, marks included. `pixels` compares by value. */
export async function renderPdf(file: Uint8Array): Promise<Picture[]> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(file)
  const pictures: Picture[] = []
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: 1, render: 'bitmap' })
    pictures.push({ width, height, pixels: Buffer.from(data).toString('base64') })
  }
  document.destroy()
  return pictures
}
