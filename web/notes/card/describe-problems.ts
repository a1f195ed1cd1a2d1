import type { DocumentProblem, ProblemReason } from '../../../contract/notes.ts'

const lacking: Record<DocumentProblem['what'], string> = {
  text: 'Its text could not be read',
  text_cut: 'Only the first 2 MB of its text can be searched',
  no_text: 'No searchable text',
  no_text_yet: 'No searchable text yet: words on its pages are being recognised',
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

/** What the owner is told that could not be had of a file. A reason that the next problem shares is given there. */
export function describeProblems(problems: DocumentProblem[]): string[] {
  return problems.map(({ what, reason }, index) =>
    reason && problems[index + 1]?.reason !== reason ? `${lacking[what]}: ${because[reason]}` : lacking[what],
  )
}
