import { memo } from 'react'
import type { Snippet } from '../../../contract/search.ts'
import { useSession } from '../../session/store.ts'
import { Blockable } from '../card/Blockable.tsx'
import { CardSkeleton } from '../card/CardGrid.tsx'
import { moveBetweenCards } from '../card/card-keys.ts'
import { type NoteActions, NoteCard } from '../card/NoteCard.tsx'
import { Snippets } from './Snippets.tsx'
import './result-list.css'

type ResultListProps = {
  noteIds: string[]
  /** The passages of each note that match, by its id. */
  snippets: Record<string, Snippet[]>
  /** The words that a note does not have, by its id. */
  missing: Record<string, string[]>
  /** What was searched, which the reader is to mark. */
  find: string
  isBlocked: boolean
  actions: NoteActions | undefined
}

/** The notes that a search found, one below the other, the best first, each with what it says about it. */
export const ResultList = memo(function ResultList({
  noteIds,
  snippets,
  missing,
  find,
  isBlocked,
  actions,
}: ResultListProps) {
  const userId = useSession((state) => state.user?._id)
  const lacksSome = (noteId: string) => (missing[noteId]?.length ?? 0) > 0
  const firstPartial = noteIds.find(lacksSome)
  return (
    <Blockable isBlocked={isBlocked}>
      <ol className="result-list" onKeyDown={moveBetweenCards}>
        {noteIds.map((noteId) => (
          <li key={noteId} className="result-list-place">
            {noteId === firstPartial && (
              <p className="result-list-partial">Not all words: these notes have only some of what you searched for.</p>
            )}
            <Result {...{ noteId, userId, find, actions }} snippets={snippets[noteId]} />
            {lacksSome(noteId) && <p className="result-list-missing">Without: {missing[noteId]?.join(', ')}</p>}
          </li>
        ))}
      </ol>
    </Blockable>
  )
})

type ResultProps = Pick<ResultListProps, 'find' | 'actions'> & {
  noteId: string
  userId: string | undefined
  snippets: Snippet[] | undefined
}

const Result = memo(function Result({ noteId, userId, snippets = [], find, actions }: ResultProps) {
  return (
    <NoteCard {...{ noteId, userId, actions }} heading="h2" isRow readAt={{ page: snippets[0]?.page, find }}>
      {snippets.length > 0 && <Snippets noteId={noteId} snippets={snippets} find={find} />}
    </NoteCard>
  )
})

/** What the results look like before they are here. */
export const ResultListSkeleton = () => (
  <div className="result-list" aria-hidden="true">
    {[0, 1, 2, 3].map((at) => (
      <CardSkeleton key={at} isRow />
    ))}
  </div>
)
