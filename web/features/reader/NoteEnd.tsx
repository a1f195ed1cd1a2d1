import type { Note } from '../../../packages/contract/notes.ts'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import './note-end.css'
import { Row, Stack } from '../../platform/ui/layout.tsx'
import { RelatedNotes } from './RelatedNotes.tsx'

/** Shown below the last page: rating and related notes. Authors cannot rate their own note. */
export function NoteEnd({ note, isOwn }: { note: Note; isOwn: boolean }) {
  return (
    <>
      {!isOwn && (
        <Stack as="section" gap={0.75} align="center" className="note-end" aria-labelledby="note-end-title">
          <h2 id="note-end-title">Did this help?</h2>
          <Row align="stretch" className="note-end-rating">
            <RatingButtons note={note} isOwn={false} />
          </Row>
        </Stack>
      )}
      <RelatedNotes noteId={note._id} />
    </>
  )
}
