import { sql } from 'kysely'

/** Every spelling of a course, with its key, its words and the number of its notes; for FROM. */
export const courseSpellings = sql<{ key: string; text: string; words: string; notes: number }>`(
  SELECT key, text, words, notes FROM suggestions WHERE kind = 'course')`
