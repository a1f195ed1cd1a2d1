import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { pageSize } from '../../../../packages/contract/limits.ts'
import { useSession } from '../../../platform/session/store.ts'
import { classNames } from '../../../platform/ui/layout.tsx'
import { handleCardKeys } from './card-keys.ts'
import { type NoteActions, NoteCard } from './NoteCard.tsx'
import './card-grid.css'
import './note-card.css'
import './note-thumbnail.css'

type CardGridProps = {
  noteIds: string[]
  isBlocked?: boolean
  /** Shows each note as a row without its thumbnail. */
  isCompact?: boolean
  actions?: NoteActions | undefined
  heading?: 'h2' | 'h3'
}

export function CardGrid({ noteIds, isBlocked = false, isCompact, actions, heading }: CardGridProps) {
  const userId = useSession((state) => state.user?._id)
  return (
    <BlockingFieldset isBlocked={isBlocked}>
      {/* biome-ignore lint/a11y/useSemanticElements: a <ul> may not have the boxes between it and its items */}
      <div
        role="list"
        className={classNames('card-grid', actions && 'card-grid-tall', isCompact && 'card-grid-compact')}
        onKeyDown={handleCardKeys}
      >
        {blocksOf(noteIds).map((ids, at) => (
          <div key={at} className="card-grid-block" style={{ '--cards': ids.length } as CSSProperties}>
            <div
              className={classNames('card-grid-columns', actions && 'card-grid-tall', isCompact && 'card-grid-compact')}
            >
              {ids.map((noteId) => (
                // biome-ignore lint/a11y/useSemanticElements: as above
                <div role="listitem" key={noteId} className="card-grid-place">
                  <NoteCard {...{ noteId, userId, actions, heading }} />
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </BlockingFieldset>
  )
}

/**
 * Splits the notes into blocks of one list page, which fill whole rows of one, two, three or four cards. An offscreen
 * block costs the browser as little as a single card.
 */
function blocksOf(noteIds: string[]): string[][] {
  const blocks: string[][] = []
  for (let at = 0; at < noteIds.length; at += pageSize) blocks.push(noteIds.slice(at, at + pageSize))
  return blocks
}

/** Disables its content while blocked (SPEC.md section 4: actions are blocked while a load is in progress). */
export const BlockingFieldset = ({ isBlocked, children }: { isBlocked: boolean; children: ReactNode }) => (
  <fieldset disabled={isBlocked} className="blocking-fieldset" onClickCapture={isBlocked ? blockLinks : undefined}>
    {children}
  </fieldset>
)

/** A disabled fieldset does not disable links. */
const blockLinks = (event: MouseEvent) => (event.target as Element).closest('a') && event.preventDefault()
