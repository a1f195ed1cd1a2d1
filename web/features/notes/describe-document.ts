import type { DocumentProblem, Note, ProblemReason } from '../../../packages/contract/notes.ts'

const missingParts: Record<DocumentProblem['what'], string> = {
  text: 'Couldn’t extract the text',
  text_cut: 'Only the first 2 MB of text are searchable',
  no_text: 'No searchable text',
  no_text_yet: 'Recognising text…',
  words: 'Couldn’t recognise the text on scanned pages',
  picture: 'No preview',
}

const because: Record<ProblemReason, string> = {
  locked: 'password-protected',
  unreadable: 'damaged file',
  'too-large': 'file too large',
  missing: 'file missing',
  timeout: 'timed out',
  memory: 'out of memory',
  crash: 'the PDF reader crashed',
  'not-kept': 'couldn’t save the result',
}

/** Describes to the author what could not be processed. A reason that the next problem shares is given only there. */
export function describeProblems(problems: DocumentProblem[]): string[] {
  return problems.map(({ what, reason, pages }, index) => {
    const lack = pages ? `Couldn’t recognise the text on ${listPages(pages)}` : missingParts[what]
    return reason && problems[index + 1]?.reason !== reason ? `${lack}: ${because[reason]}` : lack
  })
}

const maxNamed = 12

/** Joins neighbouring pages: `pages 2, 501–600`. */
function listPages(pages: number[]): string {
  const firsts = pages.filter((page, at) => pages[at - 1] !== page - 1)
  const lasts = pages.filter((page, at) => pages[at + 1] !== page + 1)
  if (pages.length === 1) return `page ${pages[0]}`
  if (firsts.length > maxNamed) return `${pages.length} pages`
  return `pages ${firsts.map((first, at) => (first === lasts[at] ? first : `${first}–${lasts[at]}`)).join(', ')}`
}

/** Describes to the author which pages and links changed when the file was anonymised; null if none did. */
export function describeDrawnPages({ drawnPages, droppedLinks = 0, pageCount }: Note['document']): string | null {
  const pages = drawnPages && `${nameOf(drawnPages, pageCount)} to remove your name`
  const links =
    droppedLinks === 1
      ? 'A link or form value with your name was removed'
      : droppedLinks > 0 && `${droppedLinks} links or form values with your name were removed`
  return [pages, links].filter(Boolean).join(' · ') || null
}

function nameOf(pages: number[], pageCount: number | null): string {
  if (pages.length === 1) return `Page ${pages[0]} was converted to an image`
  if (pages.length === pageCount) return 'All pages were converted to images'
  if (pages.length > maxNamed) return `${pages.length} pages were converted to images`
  return `Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} were converted to images`
}
