import type { About } from '../../../../packages/contract/about.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { countLibrary } from '../../search/suggestions.ts'

type LibrarySize = Pick<About, 'notes' | 'courses'>

export const keptForSeconds = 600

/** How much there is, counted once in ten minutes however many ask. */
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
      // The next one asks again.
      size.catch(() => {
        last = null
      })
    }
    return last.size
  }
}

/**
 * To tens below a hundred, else to two digits; 0 below ten. An exact number would tell, by when it grows, that somebody
 * has just shared a note.
 */
export function roundDown(count: number): number {
  const step = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, count))) - 1)
  return Math.floor(count / step) * step
}
