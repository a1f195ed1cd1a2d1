import { memo } from 'react'
import { useSession } from '../../../platform/session/store.ts'
import type { FoundInNote } from '../../notes/cache/list-pages.ts'
import { BlockingFieldset } from '../../notes/card/BlockingFieldset.tsx'
import { CardSkeleton } from '../../notes/card/CardGrid.tsx'
import { handleCardKeys } from '../../notes/card/card-keys.ts'
import { type NoteActions, NoteCard } from '../../notes/card/NoteCard.tsx'
import { Snippets } from './Snippets.tsx'
import './result-list.css'
import { Stack, Text } from '../../../platform/ui/layout.tsx'

type ResultListProps = {
  noteIds: string[]
  /** The keys are note ids. */
  found: Record<string, FoundInNote>
  /** The search text, which the reader highlights. */
  find: string
  /** Shows only one row of facts and the best snippet of each note. */
  isDense: boolean
  isBlocked: boolean
  actions: NoteActions | undefined
}

/** Shows the notes that a search found, best first, each with its matching snippets. */
export const ResultList = memo(function ResultList({
  noteIds,
  found,
  find,
  isDense,
  isBlocked,
  actions,
}: ResultListProps) {
  const userId = useSession((state) => state.user?._id)
  const missing = (noteId: string) => found[noteId]?.missing ?? []
  const firstPartial = noteIds.find((noteId) => missing(noteId).length > 0)
  return (
    <BlockingFieldset isBlocked={isBlocked}>
      <Stack
        as="ol"
        gap={isDense ? 0.5 : 1.25}
        className={isDense ? 'result-list-dense' : undefined}
        onKeyDown={handleCardKeys}
      >
        {noteIds.map((noteId) => (
          <li key={noteId} className="result-list-place">
            {noteId === firstPartial && (
              <Text tone="soft" bottom={1.25}>
                These notes contain only some of your search terms.
              </Text>
            )}
            <Result {...{ noteId, userId, find, isDense, actions }} found={found[noteId]} />
            {missing(noteId).length > 0 && (
              <Text tone="soft" size="small" top={0.375}>
                Missing: {missing(noteId).join(', ')}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </BlockingFieldset>
  )
})

type ResultProps = Pick<ResultListProps, 'find' | 'isDense' | 'actions'> & {
  noteId: string
  userId: string | undefined
  found: FoundInNote | undefined
}

const Result = memo(function Result({ noteId, userId, found, find, isDense, actions }: ResultProps) {
  const page = found?.snippets[0]?.page
  return (
    <NoteCard {...{ noteId, userId, actions }} heading="h2" isRow={!isDense} readAt={{ page, find }}>
      {found && page !== undefined && <Snippets {...found} {...{ noteId, find, isDense }} />}
    </NoteCard>
  )
})

/** A placeholder while the results are loading. */
export const ResultListSkeleton = ({ isDense }: { isDense: boolean }) => (
  <Stack gap={isDense ? 0.5 : 1.25} className={isDense ? 'result-list-dense' : undefined} aria-hidden="true">
    {Array.from({ length: isDense ? 8 : 4 }, (_, at) => (
      <CardSkeleton key={at} isRow={!isDense} />
    ))}
  </Stack>
)
