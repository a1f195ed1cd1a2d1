import { memo } from 'react'
import { maxMatchingPages, type SearchHit } from '../../../../packages/contract/search.ts'
import * as paths from '../../../platform/paths.ts'
import { useSession } from '../../../platform/session/store.ts'
import { Stack, Text } from '../../../platform/ui/layout.tsx'
import type { FoundInNote } from '../../notes/cache/list-pages.ts'
import { BlockingFieldset } from '../../notes/card/CardGrid.tsx'
import { CardSkeleton } from '../../notes/card/CardSkeleton.tsx'
import { handleCardKeys } from '../../notes/card/card-keys.ts'
import { type NoteActions, NoteCard } from '../../notes/card/NoteCard.tsx'
import './result-list.css'

type SnippetsProps = Pick<SearchHit, 'snippets' | 'matchingPages'> & {
  noteId: string
  find: string
  /** Shows only the best snippet, in one row. */
  isDense: boolean
}

/** Shows the matching snippets of a note with links to their pages. Text from files is rendered as plain text only. */
function Snippets({ noteId, snippets, matchingPages, find, isDense }: SnippetsProps) {
  const more = isDense ? 0 : matchingPages - snippets.length
  return (
    <Stack as="ul" gap={0} className="snippets">
      {(isDense ? snippets.slice(0, 1) : snippets).map(({ page, parts }, at) => (
        <li key={at}>
          <a href={paths.note(noteId, { page, find })} target="_blank" rel="noopener" className="snippets-link">
            <span className="text-faint text-count snippets-page">Page {page}</span>
            <span dir="auto" className="text text-soft snippets-text">
              {parts.map(({ text, isMatch }, place) =>
                isMatch ? <mark key={place}>{text}</mark> : isDense && place === 0 ? endOf(text) : text,
              )}
            </span>
          </a>
        </li>
      ))}
      {more > 0 && (
        <li>
          <a
            href={paths.note(noteId, { page: snippets[0]?.page, find, panel: 'matches' })}
            target="_blank"
            rel="noopener"
            className="text-soft snippets-link snippets-more"
          >
            {matchingPages === maxMatchingPages && 'Over '}
            {more} more in this note
          </a>
        </li>
      )}
    </Stack>
  )
}

/** Cuts the text before the first match, so that the match is visible on a phone. */
const endOf = (text: string) => (text.length > 20 ? `…${text.slice(-16).replace(/^\S*(?=\s)/, '')}` : text)

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
export function ResultList({ noteIds, found, find, isDense, isBlocked, actions }: ResultListProps) {
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
}

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
