import { sql } from 'kysely'

/**
 * A sixteenth of all notes, whichever they are, has an index of its own: what many have is found there, in a sixteenth of the
 * time. See docs/decisions/0033-searches-read-what-is-rare.md.
 */
export const isSampled = sql`get_byte(uuid_send(note_id), 0) < 16`
