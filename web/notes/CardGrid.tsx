import { memo } from 'react'
import type { Note } from '../../contract/notes.ts'
import { useSession } from '../session/store.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { moveBetweenCards } from './card-keys.ts'
import { isOwnNote, type NoteActions, NoteCard } from './NoteCard.tsx'
import './notes.css'

type CardGridProps = {
  notes: Note[]
  /** While true, nothing in the grid can be pressed (SPEC.md section 4: actions are blocked while a load is in progress). */
  isBlocked?: boolean
  actions?: NoteActions | undefined
  heading?: 'h2' | 'h3'
}

/** Notes in one column, growing to four. */
export const CardGrid = memo(function CardGrid({ notes, isBlocked = false, actions, heading }: CardGridProps) {
  const userId = useSession((state) => state.user?._id)
  return (
    <fieldset disabled={isBlocked} className="contents">
      <ul className="note-grid" onKeyDown={moveBetweenCards}>
        {notes.map((note) => (
          <li key={note._id} className={actions ? 'note-place note-place-tall' : 'note-place'}>
            <NoteCard note={note} isOwn={isOwnNote(note, userId)} actions={actions} heading={heading} />
          </li>
        ))}
      </ul>
    </fieldset>
  )
})

/** What a grid looks like before its notes are here. */
export function CardGridSkeleton({ cards = 8 }: { cards?: number }) {
  return (
    <div className="note-grid" aria-hidden="true">
      {Array.from({ length: cards }, (_, at) => (
        <div key={at} className="note-place">
          <CardSkeleton />
        </div>
      ))}
    </div>
  )
}

export function CardSkeleton() {
  return (
    <div className="note-card note-card-waiting">
      <div className="note-desk">
        <Skeleton className="mx-auto mt-5 h-40 w-3/5" />
      </div>
      <div className="flex grow flex-col gap-3 px-4 pt-3.5 pb-3">
        <div className="flex h-[2.7rem] flex-col gap-2">
          <Skeleton className="h-4 w-11/12" />
          <Skeleton className="h-4 w-3/5" />
        </div>
        <div className="flex flex-col gap-2.5">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-3.5 w-2/3" />
          <Skeleton className="h-3.5 w-1/2" />
          <Skeleton className="h-3.5 w-3/4" />
        </div>
        <div className="mt-auto flex gap-2">
          <Skeleton className="h-9 w-16 rounded-full" />
          <Skeleton className="h-9 w-16 rounded-full" />
        </div>
      </div>
    </div>
  )
}
