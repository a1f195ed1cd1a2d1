import type { DocumentProblem, ProblemReason } from '../../../../packages/contract/notes.ts'

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
