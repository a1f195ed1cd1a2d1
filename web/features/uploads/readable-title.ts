import { cutLine } from '../../../packages/contract/clean-text.ts'
import { titleLength } from '../../../packages/contract/limits.ts'

const toTitle = (text: string) => cutLine(text, titleLength.max)

/**
 * Turns a file name into a readable title: `03_graph-search.pdf` becomes `03 graph search`. Underscores become spaces;
 * so do hyphens in a name without spaces, but not between two digits (`2025-26`).
 */
export function readableTitle(fileName: string): string {
  const name = fileName.replace(/\.pdf$/i, '')
  const spaced = /\s/u.test(name) ? name : name.replace(/(?<!\d)-|-(?!\d)/gu, ' ')
  return toTitle(spaced.replaceAll('_', ' ')) || 'Untitled'
}

/** Titles that programs write when the author gave none. */
const noTitle =
  /^(microsoft \w+ - |untitled|document\s?\d*$|presentation\s?\d*$|slide \d+$|powerpoint|title$)|\.\w{2,5}$/i

/** Returns the title in a PDF's metadata if it is a useful alternative to `title`. */
export function suggestTitle(pdfTitle: unknown, title: string): string | null {
  if (typeof pdfTitle !== 'string') return null
  const offered = toTitle(pdfTitle)
  if (offered.length < 3 || noTitle.test(offered)) return null
  return offered.toLowerCase() === title.toLowerCase() ? null : offered
}
