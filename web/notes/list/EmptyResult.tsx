import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import * as paths from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { NoteScope } from '../cache/note-cache.ts'
import { describeSearch, type Widening, widenings } from '../search/describe-search.ts'
import { activeFilters, emptySearch, type NoteSearch, writeSearch } from '../search/search-params.ts'
import { scopes } from './scopes.ts'

type EmptyResultProps = { scope: NoteScope; search: NoteSearch; onSearch: (search: NoteSearch) => void }

/** No notes: what was searched and the one step that would find some, or, without a search, where notes come from. */
export function EmptyResult({ scope, search, onSearch }: EmptyResultProps) {
  const { data: wider } = useQuery({
    queryKey: ['widening', scope, search],
    queryFn: ({ signal }) => findWidening(scope, search, signal),
    enabled: activeFilters(search).length > 1,
  })
  if (activeFilters(search).length === 0) return <EmptyList scope={scope} />
  return (
    <EmptyState
      title="No notes were found."
      drawing="search"
      action={
        wider ? (
          <Button variant="secondary" onClick={() => onSearch(wider.search)}>
            {wider.label}
          </Button>
        ) : (
          <Button variant="secondary" onClick={() => onSearch({ ...emptySearch, sortBy: search.sortBy })}>
            Show all notes
          </Button>
        )
      }
    >
      <p>You searched for {describeSearch(search)}.</p>
    </EmptyState>
  )
}

/** The first wider search that finds something. Null where none does, or where it cannot be told. */
async function findWidening(scope: NoteScope, search: NoteSearch, signal: AbortSignal): Promise<Widening | null> {
  for (const step of widenings(search)) {
    const query = Object.fromEntries(writeSearch(step.search))
    const page = await api.call(scopes[scope].list, { query, signal })
    if (page.notes.length > 0) return step
  }
  return null
}

function EmptyList({ scope }: { scope: NoteScope }) {
  if (scope === 'liked') {
    return (
      <EmptyState
        title="No notes were found."
        drawing="heart"
        action={<ButtonLink to={paths.browse()}>Browse notes</ButtonLink>}
      >
        <p>Like a note and it waits for you here.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No notes were found."
      drawing={scope === 'mine' ? 'upload' : 'shelf'}
      action={<ButtonLink to={paths.upload()}>Upload notes</ButtonLink>}
    >
      <p>
        {scope === 'mine'
          ? 'The notes you share will lie here, ready to be edited.'
          : 'The shelf is still empty. Be the first to put something on it.'}
      </p>
    </EmptyState>
  )
}
