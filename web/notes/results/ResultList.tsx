import { memo } from 'react'
import type { Snippet } from '../../../contract/search.ts'
import { useSession } from '../../session/store.ts'
import { Blockable } from '../card/Blockable.tsx'
import { CardSkeleton } from '../card/CardGrid.tsx'
import { moveBetweenCards } from '../card/card-keys.ts'
import { NoteCard } from '../card/NoteCard.tsx'
import { Snippets } from './Snippets.tsx'
import './result-list.css'
import { Stack, Text } from '../../ui/layout.tsx'

type ResultListProps = {
  noteIds: string[]
  /** The passages of each note that match, by its id. */
  snippets: Record<string, Snippet[]>
  /** The words that a note does not have, by its id. */
  missing: Record<string, string[]>
  /** What was searched, which the reader is to mark. */
  find: string
  isBlocked: boolean
}

/** The notes that a search found, one below the other, the best first, each with what it says about it. */
export const ResultList = memo(function ResultList({ noteIds, snippets, missing, find, isBlocked }: ResultListProps) {
  const userId = useSession((state) => state.user?._id)
  const lacksSome = (noteId: string) => (missing[noteId]?.length ?? 0) > 0
  const firstPartial = noteIds.find(lacksSome)
  return (
    <Blockable isBlocked={isBlocked}>
      <Stack as="ol" gap={1.25} onKeyDown={moveBetweenCards}>
        {noteIds.map((noteId) => (
          <li key={noteId} className="result-list-place">
            {noteId === firstPartial && (
              <Text tone="soft" bottom={1.25}>
                Not all words: these notes have only some of what you searched for.
              </Text>
            )}
            <Result noteId={noteId} userId={userId} snippets={snippets[noteId]} find={find} />
            {lacksSome(noteId) && (
              <Text tone="soft" size="small" top={0.375}>
                Without: {missing[noteId]?.join(', ')}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Blockable>
  )
})

type ResultProps = { noteId: string; userId: string | undefined; snippets: Snippet[] | undefined; find: string }

const Result = memo(function Result({ noteId, userId, snippets = [], find }: ResultProps) {
  return (
    <NoteCard noteId={noteId} userId={userId} heading="h2" isRow readAt={{ page: snippets[0]?.page, find }}>
      {snippets.length > 0 && <Snippets noteId={noteId} snippets={snippets} find={find} />}
    </NoteCard>
  )
})

/** What the results look like before they are here. */
export const ResultListSkeleton = () => (
  <Stack gap={1.25} aria-hidden="true">
    {[0, 1, 2, 3].map((at) => (
      <CardSkeleton key={at} isRow />
    ))}
  </Stack>
)
