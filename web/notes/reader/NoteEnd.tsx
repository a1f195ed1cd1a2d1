import type { Note } from '../../../contract/notes.ts'
import { RatingButtons } from '../rating/RatingButtons.tsx'
import './note-end.css'
import { RelatedNotes } from './RelatedNotes.tsx'

/** Below the last page: what one thinks of the note, and what to read next. Nobody rates an own note. */
export function NoteEnd({ note, isOwn }: { note: Note; isOwn: boolean }) {
  return (
    <>
      {!isOwn && (
        <section className="note-end" aria-labelledby="note-end-title">
          <h2 id="note-end-title" className="note-end-title">
            Did this help?
          </h2>
          <div className="note-end-rating">
            <RatingButtons note={note} isOwn={false} />
          </div>
        </section>
      )}
      <RelatedNotes noteId={note._id} />
    </>
  )
}
