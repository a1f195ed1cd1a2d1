import { type LoaderFunctionArgs, useLoaderData, useNavigation, useSearchParams } from 'react-router'
import { getPerson, listPersonNotes } from '../../../../packages/contract/people.endpoints.ts'
import type { Person } from '../../../../packages/contract/people.ts'
import { type SortKey, sortKeys } from '../../../../packages/contract/search.ts'
import { ApiError, api } from '../../../platform/api/client.ts'
import { CenteredPage } from '../../../platform/layout/CenteredPage.tsx'
import type { PageHandle } from '../../../platform/layout/page-handle.ts'
import * as paths from '../../../platform/paths.ts'
import { useSession } from '../../../platform/session/store.ts'
import { ButtonLink } from '../../../platform/ui/Button.tsx'
import { SelectField } from '../../../platform/ui/fields.tsx'
import { Initial } from '../../../platform/ui/Icon.tsx'
import { Grid, Stack, Text } from '../../../platform/ui/layout.tsx'
import { listKey } from '../../notes/cache/note-cache.ts'
import { ensureUserLists } from '../../notes/cache/user-lists.ts'
import { countOf, formatDay } from '../../notes/format.ts'
import { fetchNotePage, notePages, preloadPages } from '../../notes/list/note-pages.ts'
import { PagedNotes } from '../../notes/list/PagedNotes.tsx'
import { emptySearch, sortOptions } from '../../search/search-params.ts'

/** Null if no author with this id shares notes by name. */
type Loaded = Person | null

export const handle = { title: (loaded) => loaded?.name ?? 'Author not found' } satisfies PageHandle<Loaded>

export async function loader({ params: { id = '' }, request }: LoaderFunctionArgs): Promise<Loaded> {
  const sortBy = readSort(new URL(request.url).searchParams)
  try {
    const [person] = await Promise.all([
      api.call(getPerson, { params: { id }, signal: request.signal }),
      preloadPages(personNotes(id, sortBy)),
      ensureUserLists(),
    ])
    return person
  } catch (failure) {
    if (failure instanceof ApiError && ['person_not_found', 'invalid_input'].includes(failure.code)) return null
    throw failure
  }
}

const personNotes = (personId: string, sortBy: SortKey) =>
  notePages(listKey(personId, { ...emptySearch, sortBy }), async (next, signal) => {
    const query = { sortBy, ...next }
    return fetchNotePage(() => api.call(listPersonNotes, { params: { id: personId }, query, signal }), sortBy)
  })

const readSort = (params: URLSearchParams): SortKey =>
  sortKeys.find((key) => key === params.get('sortBy')) ?? 'createdAt'

export function Component() {
  const person = useLoaderData<Loaded>()
  return person === null ? <AuthorNotFound /> : <AuthorPage person={person} />
}

function AuthorPage({ person }: { person: Person }) {
  const isOwn = useSession((state) => state.user?._id === person._id)
  return (
    <div className="page">
      <Grid as="header" columns="auto minmax(0, 1fr)" gap={1.5} align="center" className="sheet sheet-padded">
        <Initial name={person.name} />
        <Stack gap={0.25}>
          <h1 className="page-title">{person.name}</h1>
          <Text tone="soft">
            {countOf(person.notes, 'note')} since {formatDay(person.since)}
          </Text>
          {isOwn && <Text tone="soft">This is your public page. Your anonymous notes don’t appear here.</Text>}
        </Stack>
      </Grid>
      <PersonNotes personId={person._id} />
    </div>
  )
}

function PersonNotes({ personId }: { personId: string }) {
  const [params, setParams] = useSearchParams()
  const sortBy = readSort(params)
  const isSorting = useNavigation().state !== 'idle'
  return (
    <PagedNotes pages={personNotes(personId, sortBy)} isLoading={isSorting}>
      <Stack maxWidth={12}>
        <SelectField
          label="Sort by"
          options={sortOptions(sortKeys)}
          value={sortBy}
          onChange={(event) => setParams(event.target.value === 'likes' ? { sortBy: 'likes' } : {}, { replace: true })}
        />
      </Stack>
    </PagedNotes>
  )
}

/** Looks the same for a user who shares no notes by name and for an unknown id, so that accounts are not revealed. */
const AuthorNotFound = () => (
  <CenteredPage
    drawing="lost"
    title="Author not found"
    text="This author doesn’t exist or has no notes with their name."
  >
    <ButtonLink to={paths.browse()}>Browse notes</ButtonLink>
  </CenteredPage>
)
