import type { About } from '../../../../packages/contract/about.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { countLibrary } from '../../search/suggestions.ts'

type LibrarySize = Pick<About, 'notes' | 'courses'>

export const keptForSeconds = 600

/** Returns rounded counts, computed once in ten minutes for all callers. */
export function createLibrarySize(db: Db): () => Promise<LibrarySize> {
  let last: { size: Promise<LibrarySize>; countedAt: number } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.countedAt > keptForSeconds * 1000) {
      const size = countLibrary(db).then(({ notes, courses }) => ({
        notes: roundDown(notes),
        courses: roundDown(courses),
      }))
      last = { size, countedAt: now }
      // The next call retries.
      size.catch(() => {
        last = null
      })
    }
    return last.size
  }
}

/**
 * Rounds down to tens below a hundred, otherwise to two digits, so a count below ten gives 0. An exact number would
 * reveal by its growth when a user has shared a note.
 */
export function roundDown(count: number): number {
  const step = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, count))) - 1)
  return Math.floor(count / step) * step
}
