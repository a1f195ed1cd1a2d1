import { createHash } from 'node:crypto'
import { withPdfium } from '../pdfium.ts'

export type PageImage = { width: number; height: number; pixels: string }

/**
 * Renders the pages as a reader shows them, annotations included. `pixels` is a short digest, which compares by value.
 */
export const renderPdf = (file: Uint8Array): Promise<PageImage[]> =>
  withPdfium(2 ** 30, ({ open }) => {
    const document = open(file)
    if (typeof document === 'string') throw new Error(`The file is ${document}`)
    return Array.from({ length: document.pageCount }, (_, page) => {
      const [width, height] = (document.measurePage(page) ?? []).map(Math.ceil) as [number, number]
      const data = document.renderPage(page, { width, height }) ?? new Uint8Array()
      return { width, height, pixels: createHash('sha256').update(data).digest('hex') }
    })
  })
