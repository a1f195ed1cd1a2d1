import { useDeferredValue } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../platform/session/store.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { fetchErrorText } from '../format.ts'
import { CardSkeleton } from './CardSkeleton.tsx'
import { handleCardKeys } from './card-keys.ts'
import { NoteCard } from './NoteCard.tsx'
import './note-shelf.css'
import { Row, Stack, Text } from '../../../platform/ui/layout.tsx'

type NoteShelfProps = {
  title: string
  /** Undefined while the notes are loading. */
  noteIds: string[] | undefined
  /** The query of the notes, if it can fail. */
  query?: FailingQuery
  more: { to: string; label: string }
  empty: string
  /** The page is painted before the cards, which a phone needs some time for. */
  isBelowFold?: boolean
}

const shelfLength = 8

type FailingQuery = { isLoadingError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }

/** In place of notes that could not be loaded. */
export const RetryNotes = ({ query }: { query: FailingQuery }) => (
  <Stack gap={0.75} align="flex-start">
    <Text tone="soft">{fetchErrorText}</Text>
    <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
      Try again
    </Button>
  </Stack>
)

export function NoteShelf({ title, noteIds, query, more, empty, isBelowFold = false }: NoteShelfProps) {
  const hasCards = useDeferredValue(true, !isBelowFold)
  const userId = useSession((state) => state.user?._id)
  const id = `shelf-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section aria-labelledby={id} className="note-shelf">
      <Row align="baseline" justify="space-between" gap={1}>
        <h2 id={id}>{title}</h2>
        {noteIds?.length !== 0 && (
          <Link to={more.to} className="text-strong note-shelf-more" aria-label={more.label}>
            See all <Icon name="arrow-right" size={1} />
          </Link>
        )}
      </Row>
      {query?.isLoadingError ? (
        <div className="note-shelf-text">
          <RetryNotes query={query} />
        </div>
      ) : noteIds?.length === 0 ? (
        <p className="text-soft note-shelf-text">{empty}</p>
      ) : (
        <ul className="note-shelf-row" onKeyDown={handleCardKeys} aria-busy={noteIds === undefined}>
          {noteIds === undefined || !hasCards
            ? [0, 1, 2, 3].map((at) => (
                <li key={at} aria-hidden="true">
                  <CardSkeleton />
                </li>
              ))
            : noteIds.slice(0, shelfLength).map((noteId) => (
                <li key={noteId}>
                  <NoteCard noteId={noteId} userId={userId} />
                </li>
              ))}
        </ul>
      )}
      <div className="note-shelf-board" aria-hidden="true" />
    </section>
  )
}
