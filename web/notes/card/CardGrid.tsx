import { type CSSProperties, memo, useRef } from 'react'
import { pageSize } from '../../../contract/limits.ts'
import { useSession } from '../../session/store.ts'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Blockable } from './Blockable.tsx'
import { moveBetweenCards } from './card-keys.ts'
import { type NoteActions, NoteCard } from './NoteCard.tsx'
import './card-grid.css'
import './note-card.css'
import './note-sheet.css'
import { useIsFar } from './use-is-far.ts'

type CardGridProps = {
  noteIds: string[]
  isBlocked?: boolean
  /** A line for each note instead, without its picture. */
  isCompact?: boolean
  actions?: NoteActions | undefined
  heading?: 'h2' | 'h3'
}

/** Notes in one column, growing to four. */
export const CardGrid = memo(function CardGrid({ noteIds, isBlocked = false, ...block }: CardGridProps) {
  const userId = useSession((state) => state.user?._id)
  return (
    <Blockable isBlocked={isBlocked}>
      {/* biome-ignore lint/a11y/useSemanticElements: a <ul> may not have the boxes between it and its items */}
      <div
        role="list"
        className={classes('card-grid', block.actions && 'card-grid-tall', block.isCompact && 'card-grid-compact')}
        onKeyDown={moveBetweenCards}
      >
        {blocksOf(noteIds).map((ids, at) => (
          <CardBlock key={at} noteIds={ids} userId={userId} {...block} />
        ))}
      </div>
    </Blockable>
  )
})

type CardBlockProps = Omit<CardGridProps, 'isBlocked'> & { userId: string | undefined }

/**
 * As many cards as a page of the list has, which is whole rows of one, two, three or four. Out of sight a block costs
 * the browser as little as a single card, many screens away its cards are written small, and a block leaves all others alone.
 */
const CardBlock = memo(
  function CardBlock({ noteIds, userId, isCompact, actions, heading }: CardBlockProps) {
    const block = useRef<HTMLDivElement>(null)
    const isFar = useIsFar(block)
    return (
      <div
        ref={block}
        className={classes('card-grid-block', isFar && 'card-grid-far')}
        style={{ '--cards': noteIds.length } as CSSProperties}
      >
        <div className={classes('card-grid-columns', actions && 'card-grid-tall', isCompact && 'card-grid-compact')}>
          {noteIds.map((noteId) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div role="listitem" key={noteId} className="card-grid-place">
              <NoteCard {...{ noteId, userId, actions, heading, isFar }} />
            </div>
          ))}
        </div>
      </div>
    )
  },
  (before, now) =>
    before.userId === now.userId &&
    before.isCompact === now.isCompact &&
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
export function CardGridSkeleton({ cards = 8, isCompact = false }: { cards?: number; isCompact?: boolean }) {
  return (
    <div className={classes('card-grid-columns', isCompact && 'card-grid-compact')} aria-hidden="true">
      {Array.from({ length: cards }, (_, at) => (
        <div key={at} className="card-grid-place">
          <CardSkeleton />
        </div>
      ))}
    </div>
  )
}

export function CardSkeleton({ isRow = false }: { isRow?: boolean }) {
  return (
    <div className={classes('note-card note-card-waiting', isRow && 'note-card-row')}>
      <div className="note-card-picture">
        <div className="note-sheet">
          <Skeleton className="note-card-waiting-page" />
        </div>
      </div>
      <div className="note-card-body">
        <div className="note-card-waiting-title">
          <Skeleton />
          <Skeleton />
        </div>
        <div className="note-card-waiting-facts">
          <Skeleton />
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
        <div className="note-card-waiting-rating">
          <Skeleton />
          <Skeleton />
        </div>
      </div>
    </div>
  )
}
