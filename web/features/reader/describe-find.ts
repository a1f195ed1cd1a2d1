import { formatCount } from '../notes/format.ts'
import type { FindState } from './viewer/document-store.ts'

/** The status text of the find bar. Until all pages are read, more matches may follow. */
export function describeFind({ text, current, total, isPending, isComplete }: FindState): string {
  if (text === '') return ''
  if (total > 0) return `${formatCount(current)} of ${formatCount(total)}${isComplete ? '' : ' so far'}`
  return isPending ? 'Searching…' : 'No matches'
}
