import { useInfiniteQuery } from '@tanstack/react-query'
import { FollowedShelf } from '../courses/FollowedShelf.tsx'
import { ensureOwnLists, useOwnLists } from '../notes/cache/own-lists.ts'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import { listQuery, prepareList } from '../notes/list/list-query.ts'
import { emptySearch, type NoteSearch, writeSearch } from '../notes/search/search-params.ts'
import * as paths from '../paths.ts'
import { useSession } from '../session/store.ts'
import { ContinueReading } from './ContinueReading.tsx'
import { prepareContinued } from './continued.ts'
import { firstName } from './first-name.ts'
import { useTagline } from './use-tagline.ts'
import './welcome.css'

const newest = emptySearch
const mostLiked: NoteSearch = { ...emptySearch, sortBy: 'likes' }

/**
 * For the loader: asks for the shelves' notes without waiting for them. What one viewed last is known already; what one
 * is reading has to be.
 */
export async function fetchShelves(): Promise<void> {
  for (const search of [newest, mostLiked]) void prepareList('all', search)
  await Promise.all([ensureOwnLists(), prepareContinued()])
}

/** The home of a signed-in student: where one stopped first, then what is new, then the shelves. */
export function Welcome() {
  const viewed = useOwnLists((lists) => lists.recentlyViewedNotes)
  return (
    <div className="page">
      <Banner />
      <ContinueReading />
      <FollowedShelf />
      <NoteShelf
        title="Recently viewed"
        noteIds={viewed}
        more={{ to: paths.profile(), label: 'All recently viewed' }}
        empty="You haven’t viewed any notes yet."
      />
      <FetchedShelf title="Newest" search={newest} moreLabel="All newest notes" />
      <FetchedShelf title="Most liked" search={mostLiked} moreLabel="All most liked notes" />
    </div>
  )
}

function Banner() {
  const name = useSession((state) => state.user?.name)
  const tagline = useTagline()
  return (
    <section className="welcome" aria-labelledby="welcome-title">
      <h1 id="welcome-title" className="welcome-title">
        Welcome, {firstName(name)}!
      </h1>
      <p key={tagline} className="welcome-tagline">
        {tagline}
      </p>
    </section>
  )
}

type FetchedShelfProps = { title: string; search: NoteSearch; moreLabel: string }

function FetchedShelf({ title, search, moreLabel }: FetchedShelfProps) {
  const { data, isLoadingError, isFetching, refetch } = useInfiniteQuery(listQuery('all', search))
  return (
    <NoteShelf
      title={title}
      noteIds={data?.noteIds}
      retry={isLoadingError ? { isBusy: isFetching, run: () => void refetch() } : undefined}
      more={{ to: paths.browse(writeSearch(search).toString()), label: moreLabel }}
      empty="No notes were found."
    />
  )
}
