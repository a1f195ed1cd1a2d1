import type { PDFPageProxy } from 'pdfjs-dist'

type Page = Pick<PDFPageProxy, 'getTextContent'>
/** A piece of text as the page shows it: `transform` is where it begins and how it is turned. */
export type Piece = { start: number; text: string; transform: number[]; width: number; height: number }
export type PageText = { text: string; pieces: Piece[] }

/** The text of a page in one piece, and where each part of it stands on the page. */
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
