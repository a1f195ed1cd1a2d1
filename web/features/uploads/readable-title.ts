import { cutLine } from '../../../packages/contract/clean-text.ts'
import { titleLength } from '../../../packages/contract/limits.ts'

const toTitle = (text: string) => cutLine(text, titleLength.max)

/**
 * What a file’s name says, as a person would write it: `03_graph-search.pdf` is `03 graph search`. Underscores stand for
 * blanks; so do hyphens in a name without blanks, but not between two numbers (`2025-26`).
 */
export function readableTitle(fileName: string): string {
  const name = fileName.replace(/\.pdf$/i, '')
  const spaced = /\s/u.test(name) ? name : name.replace(/(?<!\d)-|-(?!\d)/gu, ' ')
  return toTitle(spaced.replaceAll('_', ' ')) || 'Untitled'
}

/** What programs write where nobody gave a title. */
const noTitle =
  /^(microsoft \w+ - |untitled|document\s?\d*$|presentation\s?\d*$|slide \d+$|powerpoint|title$)|\.\w{2,5}$/i

/** The title that a PDF gives itself, if it is worth offering beside `title`. */
export function suggestTitle(pdfTitle: unknown, title: string): string | null {
  if (typeof pdfTitle !== 'string') return null
  const offered = toTitle(pdfTitle)
  if (offered.length < 3 || noTitle.test(offered)) return null
  return offered.toLowerCase() === title.toLowerCase() ? null : offered
}
