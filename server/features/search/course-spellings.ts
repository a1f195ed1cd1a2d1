import { sql } from 'kysely'

/** For FROM: every spelling of a course that notes have, with what it is found by and the number of those notes. */
export const courseSpellings = sql<{ key: string; text: string; words: string; notes: number }>`(
  SELECT key, text, words, notes FROM suggestions WHERE kind = 'course')`
