import type { PDFPageProxy } from 'pdfjs-dist'

type Page = Pick<PDFPageProxy, 'getTextContent'>
/** A piece of text on the page. `transform` is its start and rotation. */
export type Piece = { start: number; text: string; transform: number[]; width: number; height: number }
export type PageText = { text: string; pieces: Piece[] }

/** Returns the whole text of a page and the position of each piece on the page. */
export async function readPageText(page: Page): Promise<PageText> {
  const { items } = await page.getTextContent()
  let text = ''
  const pieces: Piece[] = []
  for (const item of items) {
    if (!('str' in item)) continue
    const { str, transform, width, height } = item
    pieces.push({ start: text.length, text: str, transform, width, height })
    text += item.hasEOL ? `${str}\n` : str
  }
  return { text, pieces }
}
