import { formatCount } from '../notes/format.ts'
import type { FindState } from './viewer/document-store.ts'

/** What the find bar says of its matches. As long as pages are being read, more may come. */
export function describeFind({ text, current, total, isPending, isComplete }: FindState): string {
  if (text === '') return ''
  if (total > 0) return `${formatCount(current)} of ${formatCount(total)}${isComplete ? '' : ' so far'}`
  return isPending ? 'Searching…' : 'No matches'
}
