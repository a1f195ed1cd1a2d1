import { type CSSProperties, memo } from 'react'
import { pageSize } from '../../../contract/limits.ts'
import { useSession } from '../../session/store.ts'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { moveBetweenCards } from './card-keys.ts'
import { type NoteActions, NoteCard } from './NoteCard.tsx'
import './card-grid.css'

type CardGridProps = {
  noteIds: string[]
  /** While true, nothing in the grid can be pressed (SPEC.md section 4: actions are blocked while a load is in progress). */
  isBlocked?: boolean
  actions?: NoteActions | undefined
  heading?: 'h2' | 'h3'
}

/** Notes in one column, growing to four. */
export const CardGrid = memo(function CardGrid({ noteIds, isBlocked = false, actions, heading }: CardGridProps) {
  const userId = useSession((state) => state.user?._id)
  return (
    <fieldset disabled={isBlocked} className="contents">
      {/* biome-ignore lint/a11y/useSemanticElements: a <ul> may not have the boxes between it and its items */}
      <div role="list" className="note-list" onKeyDown={moveBetweenCards}>
        {blocksOf(noteIds).map((block, at) => (
          <CardBlock key={at} noteIds={block} userId={userId} actions={actions} heading={heading} />
        ))}
      </div>
    </fieldset>
  )
})

type CardBlockProps = Pick<CardGridProps, 'actions' | 'heading'> & { noteIds: string[]; userId: string | undefined }

/**
 * As many cards as a page of the list has, which is whole rows of one, two, three or four. Out of sight a block costs
 * the browser as little as a single card, and a block leaves all others alone.
 */
const CardBlock = memo(
  function CardBlock({ noteIds, userId, actions, heading }: CardBlockProps) {
    return (
      <div
        className={classes('note-grid note-block', actions && 'note-grid-tall')}
        style={{ '--cards': noteIds.length } as CSSProperties}
      >
        {noteIds.map((noteId) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div role="listitem" key={noteId} className="note-place">
            <NoteCard noteId={noteId} userId={userId} actions={actions} heading={heading} />
          </div>
        ))}
      </div>
    )
  },
  (before, now) =>
    before.userId === now.userId &&
    before.actions === now.actions &&
    before.heading === now.heading &&
    before.noteIds.length === now.noteIds.length &&
    before.noteIds.every((noteId, at) => noteId === now.noteIds[at]),
)

function blocksOf(noteIds: string[]): string[][] {
  const blocks: string[][] = []
  for (let at = 0; at < noteIds.length; at += pageSize) blocks.push(noteIds.slice(at, at + pageSize))
  return blocks
}

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
