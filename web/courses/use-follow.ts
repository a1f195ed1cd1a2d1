import { type InfiniteData, mutationOptions, useMutation } from '@tanstack/react-query'
import { followCourse, unfollowCourse } from '../../contract/courses.endpoints.ts'
import type { Course, CoursePage, FollowedCourses } from '../../contract/courses.ts'
import { api, messageOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { sayFailure } from '../session/say-failure.ts'
import { courseQuery, followedQuery } from './course-queries.ts'

/** Shown at once wherever the course is, and taken back with a toast on failure. */
const following = (course: Course) =>
  mutationOptions({
    mutationKey: ['following', course.key],
    meta: { isAwaited: false },
    mutationFn: (isFollowed: boolean) =>
      api.call(isFollowed ? followCourse : unfollowCourse, { params: { code: course.key } }),
    onMutate: (isFollowed) => showFollowed({ ...course, isFollowed }),
    onError(failure, isFollowed) {
      showFollowed({ ...course, isFollowed: !isFollowed })
      const fallback = `Failed to ${isFollowed ? 'follow' : 'unfollow'} the course. Please try again later.`
      sayFailure(failure, messageOf(failure, fallback))
    },
  })

/** What a course's Follow button does. A press while another one is under way does nothing. */
export function useFollow(course: Course): () => void {
  const { mutate, isPending } = useMutation(following(course))
  return () => {
    if (!isPending) mutate(!course.isFollowed)
  }
}

function showFollowed(course: Course): void {
  const { key } = course
  const changed = (one: Course) => (one.key === key ? { ...one, isFollowed: course.isFollowed } : one)
  queryClient.setQueryData(courseQuery(key).queryKey, (told) => told && { ...told, course: changed(told.course) })
  queryClient.setQueriesData<InfiniteData<CoursePage>>(
    { queryKey: ['courses', 'all'] },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, courses: page.courses.map(changed) })) },
  )
  queryClient.setQueryData(followedQuery.queryKey, (told) => told && { ...told, courses: withCourse(told, course) })
}

/** In the order of their keys, as the server has them. */
function withCourse({ courses }: FollowedCourses, course: Course): Course[] {
  const others = courses.filter(({ key }) => key !== course.key)
  if (!course.isFollowed) return others
  return [...others, course].sort((a, b) => (a.key < b.key ? -1 : 1))
}
