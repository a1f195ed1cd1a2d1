import type { Faults } from './book.ts'

/** A line of the report: what was done, what was seen of it, and what should not have been. */
export type Seen = { what: string; facts: string[]; faults: string[] }

/** Everything that was not as it should be, by its kind. */
export type Tally = Faults & { comparisons: number; whole: number }

export const openTally = (): Tally => ({ lost: [], half: [], orphans: [], comparisons: 0, whole: 0 })
