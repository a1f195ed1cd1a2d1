import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Note } from '../../contract/notes.ts'
import { CardSkeleton } from '../notes/CardGrid.tsx'
import { moveBetweenCards } from '../notes/card-keys.ts'
import { fetchErrorText } from '../notes/fetch-error.ts'
import { isOwnNote, NoteCard } from '../notes/NoteCard.tsx'
import { useSession } from '../session/store.ts'
import './note-shelf.css'

type NoteShelfProps = {
  title: string
  /** Undefined while they are on their way. */
  notes: Note[] | undefined
  hasFailed?: boolean
  more: { to: string; label: string }
  empty: string
}

const shelfLength = 8

/** One row of notes on a board, to be pushed sideways where it is longer than the page is wide. */
export function NoteShelf({ title, notes, hasFailed = false, more, empty }: NoteShelfProps) {
  const userId = useSession((state) => state.user?._id)
  const id = `shelf-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section aria-labelledby={id} className="note-shelf">
      <div className="note-shelf-head">
        <h2 id={id}>{title}</h2>
        {notes?.length !== 0 && (
          <Link to={more.to} className="note-shelf-more" aria-label={more.label}>
            See all <ArrowRight aria-hidden="true" />
          </Link>
        )}
      </div>
      {hasFailed ? (
        <p className="note-shelf-text">{fetchErrorText}</p>
      ) : notes?.length === 0 ? (
        <p className="note-shelf-text">{empty}</p>
      ) : (
        <ul className="note-shelf-row" onKeyDown={moveBetweenCards} aria-busy={notes === undefined}>
          {notes === undefined
            ? [0, 1, 2, 3].map((at) => (
                <li key={at} aria-hidden="true">
                  <CardSkeleton />
                </li>
              ))
            : notes.slice(0, shelfLength).map((note) => (
                <li key={note._id}>
                  <NoteCard note={note} isOwn={isOwnNote(note, userId)} />
                </li>
              ))}
        </ul>
      )}
      <div className="note-shelf-board" aria-hidden="true" />
    </section>
  )
}
