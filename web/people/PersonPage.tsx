import { useInfiniteQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useLoaderData, useNavigation, useSearchParams } from 'react-router'
import { getPerson } from '../../contract/people.endpoints.ts'
import type { Person } from '../../contract/people.ts'
import { type SortKey, sortKeys } from '../../contract/search.ts'
import { ApiError, api, messageOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { ensureOwnLists } from '../notes/cache/own-lists.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import { formatCount, formatDay } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { loadMoreFailure } from '../notes/list/use-note-list.ts'
import { session, useSession } from '../session/store.ts'
import { SelectField } from '../ui/SelectField.tsx'
import { showError } from '../ui/toast.ts'
import { NoPerson } from './NoPerson.tsx'
import './person-page.css'
import { personNotes } from './person-notes.ts'

/** Null where nobody shares notes by name. */
type Loaded = Person | null

export const handle = { title: (loaded: Loaded) => loaded?.name ?? 'No author here' }

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs): Promise<Loaded> {
  const sortBy = readSort(new URL(request.url).searchParams)
  try {
    const [person] = await Promise.all([
      api.call(getPerson, { params: { id }, signal: request.signal }),
      queryClient.infiniteQuery(personNotes(id, sortBy)),
      ensureOwnLists(),
    ])
    return person
  } catch (failure) {
    if (failure instanceof ApiError && ['person_not_found', 'invalid_input'].includes(failure.code)) return null
    throw failure
  }
}

const readSort = (params: URLSearchParams): SortKey =>
  sortKeys.find((key) => key === params.get('sortBy')) ?? 'createdAt'

export function Component() {
  const person = useLoaderData<Loaded>()
  return person === null ? <NoPerson /> : <PersonPage person={person} />
}

/** What somebody shares by name. */
function PersonPage({ person }: { person: Person }) {
  const isOwn = useSession((state) => state.user?._id === person._id)
  const count = `${formatCount(person.notes)} ${person.notes === 1 ? 'note' : 'notes'}`
  return (
    <div className="page">
      <header className="sheet person-page-header">
        <span className="person-page-initial" aria-hidden="true">
          {[...person.name.trim()][0]?.toUpperCase()}
        </span>
        <div className="person-page-facts">
          <h1 className="page-title">{person.name}</h1>
          <p>
            {count} shared by name, since {formatDay(person.since)}
          </p>
          {isOwn && <p>This is what others see. What you share anonymously is not here.</p>}
        </div>
      </header>
      <PersonNotes personId={person._id} />
    </div>
  )
}

const orders: { value: SortKey; label: string }[] = [
  { value: 'createdAt', label: 'Most Recent' },
  { value: 'likes', label: 'Most Liked' },
]

function PersonNotes({ personId }: { personId: string }) {
  const [params, setParams] = useSearchParams()
  const sortBy = readSort(params)
  const list = useInfiniteQuery(personNotes(personId, sortBy))
  const isSorting = useNavigation().state !== 'idle'
  const isBlocked = isSorting || list.isFetchingNextPage

  async function loadMore() {
    const result = await list.fetchNextPage({ cancelRefetch: false })
    if (!result.isFetchNextPageError || session.getState().user === null) return
    showError(messageOf(result.error, loadMoreFailure))
  }

  return (
    <section aria-labelledby="person-notes-title" aria-busy={isBlocked} className="person-page-notes">
      <div className="person-page-head">
        <h2 id="person-notes-title">Notes</h2>
        <SelectField
          label="Sort by"
          options={orders}
          value={sortBy}
          disabled={isSorting}
          onChange={(event) => setParams(event.target.value === 'likes' ? { sortBy: 'likes' } : {}, { replace: true })}
        />
      </div>
      <CardGrid noteIds={list.data?.noteIds ?? []} isBlocked={isBlocked} />
      <LoadMore
        hasMore={list.data?.hasMore ?? false}
        isLoading={list.isFetchingNextPage}
        hasFailed={list.isFetchNextPageError}
        onLoadMore={() => void loadMore()}
      />
    </section>
  )
}
