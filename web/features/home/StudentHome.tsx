import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { taglineRotationMs } from '../../../packages/contract/limits.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { readStored, store } from '../../platform/storage.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Sheet, Stack, Text } from '../../platform/ui/layout.tsx'
import { newNotesQuery } from '../courses/course-queries.ts'
import { authorStatsQuery, describeHelp, describeUse, preloadAuthorStats } from '../notes/author-stats/author-stats.ts'
import { ensureUserLists, useUserLists } from '../notes/cache/user-lists.ts'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import { listQuery, preloadList } from '../notes/list/list-query.ts'
import { boxHint, SearchForm } from '../search/SearchBox.tsx'
import { emptySearch, type NoteSearch, serializeSearch } from '../search/search-params.ts'
import { ContinueReading } from './ContinueReading.tsx'
import { preloadContinueReading } from './continue-reading-query.ts'
import { FirstSteps, preloadFirstSteps } from './FirstSteps.tsx'
import { firstName, nextTagline, taglines } from './taglines.ts'
import './student-home.css'

const newest = emptySearch
const mostLiked: NoteSearch = { ...emptySearch, sortBy: 'likes' }

/** For the loader: starts to load the shelves without waiting, but waits for the content above them. */
export async function preloadShelves(): Promise<void> {
  for (const search of [newest, mostLiked]) void preloadList('all', search)
  await Promise.all([
    ensureUserLists(),
    preloadContinueReading(),
    queryClient.prefetchQuery(newNotesQuery),
    preloadAuthorStats(),
    preloadFirstSteps(),
  ])
}

/** The home page of a signed-in user: notes in progress, new notes, author statistics, then the shelves. */
export function StudentHome() {
  const viewed = useUserLists((lists) => lists.recentlyViewedNotes)
  return (
    <div className="page">
      <Banner />
      <ContinueReading />
      <FollowedCoursesShelf />
      <Helped />
      <FirstSteps />
      <NoteShelf
        title="Recently viewed"
        noteIds={viewed}
        more={{ to: paths.profile(), label: 'All recently viewed' }}
        empty="You haven’t viewed any notes yet."
        isBelowFold
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
    <section className="sheet student-home-welcome" aria-labelledby="student-home-title">
      <h1 id="student-home-title" className="student-home-title">
        Welcome, {firstName(name)}!
      </h1>
      <p key={tagline} className="text-soft student-home-tagline">
        {tagline}
      </p>
      <Stack as="search" top={0.5} maxWidth={48} aria-label="Search all notes">
        <SearchForm hint={boxHint} />
      </Stack>
    </section>
  )
}

function Helped() {
  const { data } = useQuery(authorStatsQuery)
  if (data === undefined || data.helped === 0) return null
  return (
    <Sheet as="section" top={2} aria-labelledby="helped">
      <h2 id="helped">{describeHelp(data)}</h2>
      <Text tone="soft" top={0.25}>
        {describeUse(data)} <TextLink to={paths.myNotes()}>See your notes</TextLink>
      </Text>
    </Sheet>
  )
}

function FetchedShelf({ title, search, moreLabel }: { title: string; search: NoteSearch; moreLabel: string }) {
  const query = useInfiniteQuery(listQuery('all', search))
  return (
    <NoteShelf
      title={title}
      noteIds={query.data?.noteIds}
      query={query}
      more={{ to: paths.browse(serializeSearch(search).toString()), label: moreLabel }}
      empty="No notes were found."
      isBelowFold
    />
  )
}

/** The index of the last tagline. It outlives the banner and, through session storage, a reload. */
let shown: number | null = null
const storageKey = 'lectern.tagline'

/** Returns the current tagline. It changes every 30 seconds while the tab is visible and never repeats immediately. */
function useTagline(): string {
  const [index, setIndex] = useState(advance)

  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const follow = () => {
      clearInterval(timer)
      timer = document.hidden ? undefined : setInterval(() => setIndex(advance()), taglineRotationMs)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [])

  return taglines[index] ?? ''
}

function advance(): number {
  const stored = readStored(storageKey, true)
  shown ??= stored ? Number.parseInt(stored, 10) : null
  // biome-ignore lint/plugin/forbidden-in-product: nothing depends on which tagline is shown
  shown = nextTagline(shown, Math.random())
  store(storageKey, String(shown), true)
  return shown
}

/** Shows new notes in followed courses. Renders nothing if there are none or if loading failed. */
function FollowedCoursesShelf() {
  const { data = [] } = useQuery(newNotesQuery)
  if (data.length === 0) return null
  return (
    <NoteShelf
      title="New in your courses"
      noteIds={data}
      more={{ to: paths.courses(), label: 'All your courses' }}
      empty=""
    />
  )
}
