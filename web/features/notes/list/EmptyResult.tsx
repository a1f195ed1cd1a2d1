import { useQuery } from '@tanstack/react-query'
import * as paths from '../../../platform/paths.ts'
import { Button, ButtonLink } from '../../../platform/ui/Button.tsx'
import { EmptyState } from '../../../platform/ui/EmptyState.tsx'
import { Row } from '../../../platform/ui/layout.tsx'
import { type AlternativeHits, describeOtherHits } from '../../search/alternative-searches.ts'
import { type BroaderSearch, describeSearch, getBroaderSearches } from '../../search/describe-search.ts'
import { emptySearch, hasFilters, type NoteSearch, serializeSearch } from '../../search/search-params.ts'
import type { NoteScope } from '../cache/note-cache.ts'
import { fetchPage } from './list-query.ts'

type EmptyResultProps = {
  scope: NoteScope
  search: NoteSearch
  /** The text without the words that no note contains. */
  shortened: string | null
  /** Other fields in which the search text finds notes. */
  otherHits: AlternativeHits[]
  onSearch: (search: NoteSearch) => void
}

/** Explains an empty list: what was searched and which searches find more or, without a search, how notes get there. */
export function EmptyResult(props: EmptyResultProps) {
  const { scope, search } = props
  if (!hasFilters(search)) {
    const { drawing, text, action } = emptyLists[scope]
    return (
      <EmptyState isAnnounced title="No notes were found." drawing={drawing} action={action}>
        <p>{text}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState isAnnounced title="No notes were found." drawing="search" action={<NextSteps {...props} />}>
      <p>You searched for {describeSearch(search)}.</p>
    </EmptyState>
  )
}

function NextSteps({ scope, search, shortened, otherHits, onSearch }: EmptyResultProps) {
  const { data: wider } = useQuery({
    queryKey: ['widening', scope, search],
    queryFn: ({ signal }) => findWidening(scope, search, signal),
    enabled: otherHits.length === 0 && shortened === null && getBroaderSearches(search).length > 0,
  })
  const all = { label: 'Show all notes', search: { ...emptySearch, sortBy: search.sortBy } }
  const step = shortened
    ? { label: `Search for “${shortened}”`, search: { ...search, text: shortened } }
    : (wider ?? all)
  return (
    <Row justify="center">
      {otherHits.map((hits) => (
        <ButtonLink key={hits.to} variant="secondary" to={{ search: serializeSearch(hits.search).toString() }}>
          {describeOtherHits(hits)}
        </ButtonLink>
      ))}
      <Button onClick={() => onSearch(step.search)}>{step.label}</Button>
    </Row>
  )
}

async function findWidening(scope: NoteScope, search: NoteSearch, signal: AbortSignal): Promise<BroaderSearch | null> {
  for (const step of getBroaderSearches(search)) {
    if ((await fetchPage(scope, step.search, null, signal)).noteIds.length > 0) return step
  }
  return null
}

const uploadLink = <ButtonLink to={paths.upload()}>Upload notes</ButtonLink>
const emptyLists = {
  all: { drawing: 'shelf', text: 'No notes yet. Be the first to upload one.', action: uploadLink },
  mine: { drawing: 'upload', text: 'Notes you upload appear here.', action: uploadLink },
  liked: {
    drawing: 'heart',
    text: 'Notes you like appear here.',
    action: <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>,
  },
} as const
