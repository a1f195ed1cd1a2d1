import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { foldCourseCode } from '../../contract/course-code.ts'
import { ApiError, messageOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { NoteShelf } from '../home/NoteShelf.tsx'
import { ensureOwnLists } from '../notes/cache/own-lists.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import { courseHue } from '../notes/card/course-hue.ts'
import { formatDay } from '../notes/format.ts'
import { fetchErrorText } from '../notes/list/fetch-error.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { type NoteSearch, readSearch, writeSearch } from '../notes/search/search-params.ts'
import * as paths from '../paths.ts'
import { session, useSession } from '../session/store.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { showError } from '../ui/toast.ts'
import { Choices } from './Choices.tsx'
import './course-page.css'
import { countNotes } from './count-notes.ts'
import { courseNotesQuery, courseQuery } from './course-queries.ts'
import { FollowButton } from './FollowButton.tsx'

/** What an address asks of a course: a year, an instructor, an order. */
function readCourseSearch(code: string | undefined, params: URLSearchParams): NoteSearch {
  const { academicYear, instructor, sortBy } = readSearch(params)
  const order = sortBy === 'likes' ? sortBy : 'createdAt'
  return {
    text: '',
    title: '',
    courseCode: foldCourseCode(code ?? ''),
    academicYear,
    instructor,
    sortBy: order,
    isGrouped: false,
  }
}

/** What cannot be had is shown on the page: a failure stays in the cache. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<{ title: string }> {
  const search = readCourseSearch(params.code, new URL(request.url).searchParams)
  const [told] = await Promise.all([
    // Anew at each visit: one's own upload or edit may have changed it.
    queryClient.fetchQuery({ ...courseQuery(search.courseCode), staleTime: 0 }).catch(() => null),
    queryClient.ensureInfiniteQueryData(courseNotesQuery(search)).catch(() => {}),
    ensureOwnLists(),
  ])
  return { title: told?.course.courseCode ?? 'Course' }
}

export const handle = { title: ({ title }: { title: string }) => title }

/** One course: what it is, what its readers like most, and its notes by year and instructor. */
export function Component() {
  const { code } = useParams()
  const [params] = useSearchParams()
  const search = useMemo(() => readCourseSearch(code, params), [code, params])
  const { data: told, error, isFetching, refetch } = useQuery(courseQuery(search.courseCode))
  if (told === undefined) return <CourseFailure failure={error} isTrying={isFetching} onTry={() => void refetch()} />
  const { course, favouriteIds } = told
  return (
    <div className="page">
      <header className="sheet course-page-head" style={{ '--hue': courseHue(course.courseCode) } as CSSProperties}>
        <div className="course-page-words">
          <h1 className="page-title">{course.courseCode}</h1>
          {course.name !== null && <p className="course-page-name">{course.name}</p>}
          <p className="course-page-facts">
            {countNotes(course.notes)}
            {told.since !== null && ` since ${formatDay(told.since)}`}
          </p>
        </div>
        <FollowButton course={course} />
      </header>
      {/* Of a few notes each would be there twice. */}
      {favouriteIds.length > 0 && course.notes >= 2 * favouriteIds.length && (
        <NoteShelf
          title="Readers’ favourites"
          noteIds={favouriteIds}
          more={{ to: paths.course(course.key, 'sortBy=likes'), label: 'All notes, the most liked first' }}
          empty=""
        />
      )}
      {course.notes === 0 ? (
        <EmptyState title="No notes were found." action={<ButtonLink to={paths.upload()}>Upload notes</ButtonLink>}>
          <p>Nobody has shared notes for {course.courseCode} yet. Be the first, or follow it and be told.</p>
        </EmptyState>
      ) : (
        <CourseNotes search={search} academicYears={told.academicYears} instructors={told.instructors} />
      )}
    </div>
  )
}

type CourseNotesProps = { search: NoteSearch; academicYears: string[]; instructors: string[] }

function CourseNotes({ search, academicYears, instructors }: CourseNotesProps) {
  const list = useInfiniteQuery(courseNotesQuery(search))
  const isSessionBusy = useSession((state) => state.isLoading)
  const noteIds = list.data?.noteIds ?? []
  const to = (change: Partial<NoteSearch>) => ({
    search: writeSearch({ ...search, courseCode: '', ...change }).toString(),
  })

  async function loadMore() {
    const result = await list.fetchNextPage({ cancelRefetch: false })
    if (!result.isFetchNextPageError || session.getState().user === null) return
    showError(messageOf(result.error, 'Failed to load more notes. Please try again later.'))
  }

  return (
    <section aria-labelledby="notes-title" className="course-page-notes">
      <h2 id="notes-title">Notes</h2>
      <div className="course-page-choices">
        <Choices
          label="Academic year"
          choices={['', ...academicYears].map((year) => ({
            text: year || 'All years',
            to: to({ academicYear: year }),
            isChosen: search.academicYear === year,
          }))}
        />
        {instructors.length > 0 && (
          <Choices
            label="Instructor"
            choices={['', ...instructors].map((instructor) => ({
              text: instructor || 'All instructors',
              to: to({ instructor }),
              isChosen: search.instructor === instructor,
            }))}
          />
        )}
        <Choices
          label="Sort by"
          choices={[
            { text: 'Most Recent', to: to({ sortBy: 'createdAt' }), isChosen: search.sortBy === 'createdAt' },
            { text: 'Most Liked', to: to({ sortBy: 'likes' }), isChosen: search.sortBy === 'likes' },
          ]}
        />
      </div>
      <p role="status" className="visually-hidden">
        {list.isPending ? '' : describeShown(noteIds.length, list.data?.hasMore ?? false)}
      </p>
      {noteIds.length > 0 ? (
        <CardGrid noteIds={noteIds} isBlocked={isSessionBusy || list.isFetchingNextPage} />
      ) : list.isLoadingError ? (
        <EmptyState
          title={fetchErrorText}
          drawing="broken"
          action={
            <Button variant="secondary" busy={list.isFetching} onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        />
      ) : (
        <EmptyState
          title="No notes were found."
          drawing="search"
          action={
            <ButtonLink variant="secondary" to={to({ academicYear: '', instructor: '' })} preventScrollReset>
              Show all notes of the course
            </ButtonLink>
          }
        />
      )}
      <LoadMore
        hasMore={list.data?.hasMore ?? false}
        isLoading={list.isFetchingNextPage}
        hasFailed={list.isFetchNextPageError}
        onLoadMore={() => void loadMore()}
      />
    </section>
  )
}

const describeShown = (count: number, hasMore: boolean) =>
  `${count === 1 ? '1 note' : `${count} notes`} shown.${hasMore ? ' More can be loaded.' : ''}`

type CourseFailureProps = { failure: Error | null; isTrying: boolean; onTry: () => void }

function CourseFailure({ failure, isTrying, onTry }: CourseFailureProps) {
  const isUnknown = failure instanceof ApiError && ['course_not_found', 'invalid_input'].includes(failure.code)
  return (
    <div className="page">
      <h1 className="page-title">{isUnknown ? 'No such course' : 'Course'}</h1>
      <EmptyState
        title={messageOf(failure, fetchErrorText)}
        drawing={isUnknown ? 'lost' : 'broken'}
        action={
          isUnknown ? (
            <ButtonLink to={paths.courses()}>All courses</ButtonLink>
          ) : (
            <Button variant="secondary" busy={isTrying} onClick={onTry}>
              Try again
            </Button>
          )
        }
      />
    </div>
  )
}
