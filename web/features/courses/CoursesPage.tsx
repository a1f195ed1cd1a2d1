import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { type LoaderFunctionArgs, type ShouldRevalidateFunction, useBlocker, useSearchParams } from 'react-router'
import { cutLine } from '../../../packages/contract/clean-text.ts'
import { setDigestFrequency } from '../../../packages/contract/courses.endpoints.ts'
import { type DigestFrequency, digestFrequencies } from '../../../packages/contract/courses.ts'
import { searchTextLength } from '../../../packages/contract/limits.ts'
import { choose } from '../../platform/api/choose.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { useDebounced } from '../../platform/ui/browser.ts'
import { EmptyState, ErrorState } from '../../platform/ui/EmptyState.tsx'
import { SelectField, TextField } from '../../platform/ui/fields.tsx'
import { HiddenStatus, Stack, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { describeShown } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { CourseList } from './CourseList.tsx'
import { coursesQuery, followedQuery } from './course-queries.ts'

const typingPauseMs = 200
const fetchError = 'There was an error fetching the courses. Please try again.'
const tidy = (text: string) => cutLine(text, searchTextLength.max)
const readText = (params: URLSearchParams) => tidy(params.get('q') ?? '')

/** Failures stay in the query cache, and the page shows them. */
export async function loader({ request }: LoaderFunctionArgs): Promise<void> {
  const text = readText(new URL(request.url).searchParams)
  await Promise.all([
    queryClient.ensureQueryData(followedQuery).catch(() => {}),
    queryClient.fetchInfiniteQuery(coursesQuery(text)).catch(() => {}),
  ])
}

export function Component() {
  const [params] = useSearchParams()
  const text = readText(params)
  return (
    <div className="page">
      <h1 className="page-title">Courses</h1>
      <CourseFilter text={text} />
      {text === '' && <FollowedCourses />}
      <AllCourses text={text} />
    </div>
  )
}

/** The page itself searches while the user types, so a changed query needs no loader. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate

/** Filters while the user types. The address follows, so that going back from a course restores the results. */
function CourseFilter({ text }: { text: string }) {
  const [draft, setDraft] = useState(text)
  const [, setParams] = useSearchParams()
  const isLeaving = useRef(false)
  // This is called when a navigation starts. `useNavigation` tells of it only after the next rendering.
  useBlocker(({ currentLocation, nextLocation }) => {
    isLeaving.current = nextLocation.pathname !== currentLocation.pathname
    return false
  })
  const [followed, setFollowed] = useState(text)
  if (followed !== text) {
    setFollowed(text)
    if (tidy(draft) !== text) setDraft(text)
  }

  function change({ target: { value } }: ChangeEvent<HTMLInputElement>) {
    // Changing the address would cancel the navigation to another page.
    if (isLeaving.current) return
    setDraft(value)
    const q = tidy(value)
    setParams(q === '' ? {} : { q }, { replace: true, preventScrollReset: true })
  }

  return (
    <Stack as="search" top={1.25} maxWidth={32}>
      <TextField
        label="Find a course"
        hint="Search by code or name"
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={change}
      />
    </Stack>
  )
}

function FollowedCourses() {
  const { data } = useQuery(followedQuery)
  if (data === undefined) return null
  return (
    <Stack as="section" gap={0.875} top={2} aria-labelledby="followed-title">
      <h2 id="followed-title">Your courses</h2>
      {data.courses.length === 0 ? (
        <Text tone="soft">Follow a course to see its new notes on your home page and, if you like, by email.</Text>
      ) : (
        <CourseList courses={data.courses} />
      )}
      {(data.courses.length > 0 || data.mails !== 'none') && <EmailFrequencyField mails={data.mails} />}
    </Stack>
  )
}

function AllCourses({ text: typed }: { text: string }) {
  const text = useDebounced(typed, typingPauseMs)
  const list = useInfiniteQuery(coursesQuery(text))
  const courses = list.data?.pages.flatMap((page) => page.courses) ?? []
  return (
    <Stack as="section" gap={0.875} top={2} aria-labelledby="courses-title">
      <h2 id="courses-title">{text === '' ? 'All courses' : `Courses matching “${text}”`}</h2>
      <HiddenStatus>
        {list.isPlaceholderData ? '' : describeShown(courses.length, list.hasNextPage, 'course')}
      </HiddenStatus>
      {courses.length > 0 ? (
        <CourseList courses={courses} />
      ) : list.isLoadingError ? (
        <ErrorState title={fetchError} query={list} />
      ) : (
        !list.isPlaceholderData && <NoCourses text={text} />
      )}
      <LoadMore list={list} action="Load more courses" error={fetchError} rows=".course-list-link" />
    </Stack>
  )
}

function NoCourses({ text }: { text: string }) {
  if (text === '') {
    return (
      <EmptyState title="There are no courses yet." action={<ButtonLink to={paths.upload()}>Upload notes</ButtonLink>}>
        <p>Courses appear here once someone uploads notes for them.</p>
      </EmptyState>
    )
  }
  const search = new URLSearchParams({ q: text }).toString()
  return (
    <EmptyState
      title="No courses were found."
      drawing="search"
      action={
        <ButtonLink variant="secondary" to={paths.browse(search)}>
          Search notes instead
        </ButtonLink>
      }
    >
      <p>No course code or name matches “{text}”.</p>
    </EmptyState>
  )
}

const labels: Record<DigestFrequency, string> = { none: 'Never', daily: 'Daily', weekly: 'Weekly' }
const said: Record<DigestFrequency, string> = {
  none: 'Course emails turned off.',
  daily: 'You’ll get a daily email when there are new notes.',
  weekly: 'You’ll get an email on Mondays when there are new notes.',
}

/** Sets how often the user gets a digest. The choice is shown immediately and reverted on failure. */
function EmailFrequencyField({ mails }: { mails: DigestFrequency }) {
  const change = (choice: DigestFrequency) =>
    void choose('mails', choice, {
      before: mails,
      show,
      send: (mails) => api.call(setDigestFrequency, { body: { mails } }),
      onKept: (kept) => showSuccess(said[kept]),
      onFailed: (failure) => showErrorToast(failure, 'Failed to save your choice. Please try again later.'),
    })
  return (
    <Stack maxWidth={16} top={0.375}>
      <SelectField
        label="Email me about new notes"
        options={digestFrequencies.map((value) => ({ value, label: labels[value] }))}
        value={mails}
        onChange={({ target }) => change(target.value as DigestFrequency)}
      />
    </Stack>
  )
}

const show = (mails: DigestFrequency): void =>
  void queryClient.setQueryData(followedQuery.queryKey, (cached) => cached && { ...cached, mails })
