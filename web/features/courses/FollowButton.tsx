import type { InfiniteData } from '@tanstack/react-query'
import { followCourse, unfollowCourse } from '../../../packages/contract/courses.endpoints.ts'
import type { Course, CoursePage, FollowedCourses } from '../../../packages/contract/courses.ts'
import { choose } from '../../platform/api/choose.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { Button, isRepeated } from '../../platform/ui/Button.tsx'
import { courseQuery, followedQuery } from './course-queries.ts'

export function FollowButton({ course, isSmall = false }: { course: Course; isSmall?: boolean }) {
  const { isFollowed, courseCode } = course
  return (
    <Button
      variant={isSmall ? 'ghost' : isFollowed ? 'secondary' : 'primary'}
      size={isSmall ? 'small' : 'medium'}
      icon={isFollowed ? 'bell-ring' : 'bell-plus'}
      aria-pressed={isFollowed}
      onClick={(event) => !isRepeated(event) && toggleFollow(course)}
    >
      {isFollowed ? 'Following' : 'Follow'}
      <span className="visually-hidden"> {courseCode}</span>
    </Button>
  )
}

/** Handles the Follow buttons of a course. The change is shown immediately and reverted with a toast on failure. */
const toggleFollow = (course: Course): void =>
  void choose(`follow ${course.key}`, !course.isFollowed, {
    before: course.isFollowed,
    show: (isFollowed) => setFollowedInCache({ ...course, isFollowed }),
    send: (isFollowed) => api.call(isFollowed ? followCourse : unfollowCourse, { params: { code: course.key } }),
    onFailed(failure, isFollowed) {
      const fallback = `Failed to ${isFollowed ? 'follow' : 'unfollow'} the course. Please try again later.`
      showErrorToast(failure, fallback)
    },
  })

function setFollowedInCache(course: Course): void {
  const { key } = course
  const changed = (one: Course) => (one.key === key ? { ...one, isFollowed: course.isFollowed } : one)
  queryClient.setQueryData(
    courseQuery(key).queryKey,
    (cached) => cached && { ...cached, course: changed(cached.course) },
  )
  queryClient.setQueriesData<InfiniteData<CoursePage>>(
    { queryKey: ['courses', 'all'] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, courses: page.courses.map(changed) })) },
  )
  queryClient.setQueryData(
    followedQuery.queryKey,
    (cached) => cached && { ...cached, courses: withCourse(cached, course) },
  )
}

/** Sorts by key, like the server. */
function withCourse({ courses }: FollowedCourses, course: Course): Course[] {
  const others = courses.filter(({ key }) => key !== course.key)
  if (!course.isFollowed) return others
  return [...others, course].sort((a, b) => (a.key < b.key ? -1 : 1))
}
