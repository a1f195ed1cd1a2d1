import { quoteLength } from '../../../../packages/contract/limits.ts'

/** Words of a page that somebody points at. */
export type Passage = { page: number; text: string }

/** The passage that is selected in `pages`, or null. What goes on over the edge of its first page is cut there. */
export function readSelectedPassage(pages: Element): Passage | null {
  const selection = document.getSelection()
  if (selection === null || selection.isCollapsed) return null
  const range = selection.getRangeAt(0).cloneRange()
  const page = elementOf(range.startContainer)?.closest<HTMLElement>('[data-page-number]')
  if (!page || !pages.contains(page)) return null
  if (!page.contains(range.endContainer)) range.setEnd(page, page.childNodes.length)
  const text = tidyQuote(textWithLines(range))
  return text === '' ? null : { page: Number(page.dataset.pageNumber), text }
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)

/** A line of a page ends in a line break, which a range's own text leaves out. */
function textWithLines(range: Range): string {
  const content = range.cloneContents()
  for (const lineBreak of content.querySelectorAll('br')) lineBreak.replaceWith('\n')
  return content.textContent
}

/**
 * Words as an address carries them: one line, put together across the ends of lines as pdf.js does when it looks for
 * them, and cut after a whole word where they are many.
 */
export function tidyQuote(text: string): string {
  const line = text
    .trim()
    .replaceAll(/(?<=\p{Ll})-\n(?=\p{Ll})|(?<=\p{Lu})-\n(?=\p{L})/gu, '')
    .replaceAll(/(?<=\S-|[\p{Ideographic}\u3040-\u30ff])\n/gu, '')
    .replaceAll(/\s+/g, ' ')
  if (line.length <= quoteLength.max) return line
  const cut = line.slice(0, quoteLength.max + 1)
  return cut.slice(0, cut.includes(' ') ? cut.lastIndexOf(' ') : quoteLength.max)
}
