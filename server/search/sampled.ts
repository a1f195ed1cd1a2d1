import { sql } from 'kysely'

/** What the indexes of `search_entries` hold: its words, and beginnings of those of title, course and instructor. */
export const findableWords = sql`findable_words(words, ranked)`

/**
 * A sixteenth of all notes, whichever they are, has an index of its own: what many have is found there, in a sixteenth of the
 * time.
 */
export const isSampled = sql`get_byte(uuid_send(note_id), 0) < 16`
