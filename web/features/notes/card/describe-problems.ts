import type { DocumentProblem, ProblemReason } from '../../../../packages/contract/notes.ts'

const missingParts: Record<DocumentProblem['what'], string> = {
  text: 'Its text could not be read',
  text_cut: 'Only the first 2 MB of its text can be searched',
  no_text: 'No searchable text',
  no_text_yet: 'No searchable text yet: words on its pages are being recognised',
  words: 'The words on its scanned pages could not be recognised',
  picture: 'No picture could be made',
}

const because: Record<ProblemReason, string> = {
  locked: 'it asks for a password',
  unreadable: 'the file is damaged',
  'too-large': 'it is too large',
  missing: 'the file is missing',
  timeout: 'it took too long',
  memory: 'it took too much memory',
  crash: 'it ended the program that reads it',
  'not-kept': 'the result could not be stored',
}

/** Describes to the author what could not be processed. A reason that the next problem shares is given only there. */
export function describeProblems(problems: DocumentProblem[]): string[] {
  return problems.map(({ what, reason, pages }, index) => {
    const lack = pages ? `The words on ${listPages(pages)} could not be recognised` : missingParts[what]
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
