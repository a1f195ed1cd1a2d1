import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type MouseEvent, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, type LoaderFunctionArgs, type To, useParams, useSearchParams } from 'react-router'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { CourseDetails } from '../../../packages/contract/courses.ts'
import { sortKeys } from '../../../packages/contract/search.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import type { PageHandle } from '../../platform/layout/page-handle.ts'
import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { EmptyState, ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { ensureUserLists } from '../notes/cache/user-lists.ts'
import { hueStyle } from '../notes/card/course-hue.ts'
import { NoteShelf } from '../notes/card/NoteShelf.tsx'
import { fetchErrorText, formatDay } from '../notes/format.ts'
import { preloadPages } from '../notes/list/note-pages.ts'
import { PagedNotes } from '../notes/list/PagedNotes.tsx'
import { filterNames, filters, filtersBy } from '../search/filters.ts'
import { emptySearch, type NoteSearch, parseSearch, serializeSearch, sortLabels } from '../search/search-params.ts'
import { countNotes } from './CourseList.tsx'
import { courseNotes, courseQuery } from './course-queries.ts'
import { FollowButton } from './FollowButton.tsx'
import './course-page.css'

function readCourseSearch(code: string | undefined, params: URLSearchParams): NoteSearch {
  const asked = parseSearch(params)
  return {
    ...emptySearch,
    ...filtersBy((name) => (filters[name].inCourse ? asked[name] : '')),
    courseCode: foldCourseCode(code ?? ''),
    sortBy: asked.sortBy === 'likes' ? 'likes' : 'createdAt',
  }
}

/** Failures stay in the query cache, and the page shows them. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<{ title: string }> {
  const search = readCourseSearch(params.code, new URL(request.url).searchParams)
  const [details] = await Promise.all([
    // The course is fetched at each visit, because the user's own upload or edit may have changed it.
    queryClient.fetchQuery({ ...courseQuery(search.courseCode), staleTime: 0 }).catch(() => null),
    preloadPages(courseNotes(search)),
    ensureUserLists(),
  ])
  return { title: details?.course.courseCode ?? 'Course' }
}

export const handle = { title: ({ title }) => title } satisfies PageHandle<{ title: string }>

export function Component() {
  const { code } = useParams()
  const [params] = useSearchParams()
  const search = useMemo(() => readCourseSearch(code, params), [code, params])
  const query = useQuery(courseQuery(search.courseCode))
  const { data: details } = query
  if (details === undefined) return <CourseError query={query} />
  const { course, favouriteIds } = details
  return (
    <div className="page">
      <Row
        as="header"
        gap={[1, 2]}
        justify="space-between"
        className="sheet spine course-page-head"
        style={hueStyle(course.courseCode)}
      >
        <Text as="div">
          <h1 className="page-title">{course.courseCode}</h1>
          {course.name !== null && <p className="course-page-name">{course.name}</p>}
          <Text tone="soft" top={0.375} isCount>
            {countNotes(course)}
            {details.since !== null && ` since ${formatDay(details.since)}`}
          </Text>
        </Text>
        <FollowButton course={course} />
      </Row>
      {/* In a short list each favourite would appear twice. */}
      {favouriteIds.length > 0 && course.notes >= 2 * favouriteIds.length && (
        <NoteShelf
          title="Most liked"
          noteIds={favouriteIds}
          more={{ to: paths.course(course.key, 'sortBy=likes'), label: 'All notes, most liked first' }}
          empty=""
        />
      )}
      {course.notes === 0 ? (
        <EmptyState title="No notes were found." action={<ButtonLink to={paths.upload()}>Upload notes</ButtonLink>}>
          <p>No notes for {course.courseCode} yet. Be the first to upload one, or follow the course to get updates.</p>
        </EmptyState>
      ) : (
        <CourseNotes search={search} details={details} />
      )}
    </div>
  )
}

function CourseNotes({ search, details }: { search: NoteSearch; details: Omit<CourseDetails, 'favourites'> }) {
  const to = (change: Partial<NoteSearch>) => ({
    search: serializeSearch({ ...search, courseCode: '', ...change }).toString(),
  })
  return (
    <PagedNotes
      pages={courseNotes(search)}
      empty={
        <EmptyState
          title="No notes were found."
          drawing="search"
          action={
            <ButtonLink variant="secondary" to={to(filtersBy(() => ''))} preventScrollReset>
              Show all notes
            </ButtonLink>
          }
        />
      }
    >
      {filterNames.map((name) => {
        const { label, inCourse, shown = String } = filters[name]
        const values = inCourse?.values(details) ?? []
        if (!inCourse || values.length === 0) return null
        const choices = ['', ...values].map((value) => ({
          text: value === '' ? inCourse.any : shown(value),
          to: to({ [name]: value }),
          isChosen: search[name] === value,
        }))
        return <FilterChips key={name} label={label} choices={choices} />
      })}
      <FilterChips
        label="Sort by"
        choices={sortKeys.map((sortBy) => ({
          text: sortLabels[sortBy],
          to: to({ sortBy }),
          isChosen: search.sortBy === sortBy,
        }))}
      />
    </PagedNotes>
  )
}

function CourseError({ query }: { query: ComponentProps<typeof ErrorState>['query'] & { error: Error | null } }) {
  const { error } = query
  const isUnknown = error instanceof ApiError && ['course_not_found', 'invalid_input'].includes(error.code)
  const title = getErrorMessage(error, fetchErrorText)
  return (
    <div className="page">
      <h1 className="page-title">{isUnknown ? 'Course not found' : 'Course'}</h1>
      {isUnknown ? (
        <EmptyState title={title} drawing="lost" action={<ButtonLink to={paths.courses()}>All courses</ButtonLink>} />
      ) : (
        <ErrorState title={title} query={query} />
      )}
    </div>
  )
}

type Choice = { text: string; to: To; isChosen: boolean }

const shownAtFirst = 9

/** A row of choices, each of which links to its own address. A button expands a long row. */
function FilterChips({ label, choices }: { label: string; choices: Choice[] }) {
  const id = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const shown = choices.filter(({ isChosen }, at) => isUnfolded || isChosen || at < shownAtFirst)

  function unfold({ currentTarget }: MouseEvent) {
    const list = currentTarget.closest('ul')
    const firstNew = choices.findIndex((choice) => !shown.includes(choice))
    flushSync(() => setUnfolded(true))
    // The pressed button is removed.
    list?.querySelectorAll('a')[firstNew]?.focus()
  }

  return (
    <Row as="nav" align="baseline" gap={[0.25, 1]} aria-labelledby={id}>
      <Text tone="soft" size="medium" isStrong id={id} className="choices-label">
        {label}
      </Text>
      <Row as="ul" gap={0.5} className="choices-list">
        {shown.map(({ text, to, isChosen }) => (
          <li key={text}>
            <Link to={to} className="choices-chip" aria-current={isChosen || undefined} preventScrollReset>
              {text}
            </Link>
          </li>
        ))}
        {shown.length < choices.length && (
          <li>
            <button type="button" className="choices-chip choices-more" onClick={unfold}>
              {choices.length - shown.length} more
              <span className="visually-hidden"> of {label.toLowerCase()}</span>
            </button>
          </li>
        )}
      </Row>
    </Row>
  )
}
