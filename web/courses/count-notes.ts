import { formatCount } from '../notes/format.ts'

/** `0` reads `No notes yet`, `1` reads `1 note`. */
export const countNotes = (notes: number): string =>
  notes === 0 ? 'No notes yet' : notes === 1 ? '1 note' : `${formatCount(notes)} notes`
