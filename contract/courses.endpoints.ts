import {
  courseDetails,
  courseNotesQuery,
  coursePage,
  courseParams,
  coursesQuery,
  followedCourses,
  mailChange,
  newNotes,
  unsubscribeQuery,
} from './courses.ts'
import { defineEndpoint } from './endpoint.ts'
import { notePage } from './search.ts'

export const listCourses = defineEndpoint({
  method: 'GET',
  path: '/api/courses',
  tag: 'courses',
  summary: 'Courses by their codes',
  description: 'Those that have notes. With a text also courses of the society’s list that have none yet.',
  query: coursesQuery,
  answers: { 200: coursePage },
  refusals: ['invalid_input', 'busy'],
})

export const getCourse = defineEndpoint({
  method: 'GET',
  path: '/api/courses/:code',
  tag: 'courses',
  summary: 'One course',
  params: courseParams,
  answers: { 200: courseDetails },
  refusals: ['invalid_input', 'course_not_found', 'busy'],
})

export const listCourseNotes = defineEndpoint({
  method: 'GET',
  path: '/api/courses/:code/notes',
  tag: 'courses',
  summary: 'The notes of a course',
  params: courseParams,
  query: courseNotesQuery,
  answers: { 200: notePage },
  refusals: ['invalid_input', 'busy'],
})

export const followCourse = defineEndpoint({
  method: 'POST',
  path: '/api/courses/:code/follow',
  tag: 'courses',
  summary: 'Follow a course',
  params: courseParams,
  answers: { 204: { empty: true, meaning: 'It is followed' } },
  refusals: ['invalid_input', 'course_not_found', 'too_many_courses'],
})

export const unfollowCourse = defineEndpoint({
  method: 'DELETE',
  path: '/api/courses/:code/follow',
  tag: 'courses',
  summary: 'No longer follow a course',
  params: courseParams,
  answers: { 204: { empty: true, meaning: 'It is not followed' } },
  refusals: ['invalid_input'],
})

export const listFollowedCourses = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/courses',
  tag: 'courses',
  summary: 'The courses I follow',
  answers: { 200: followedCourses },
})

export const listNewNotes = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/courses/notes',
  tag: 'courses',
  summary: 'The newest notes of others in the courses I follow',
  answers: { 200: newNotes },
  refusals: ['busy'],
})

export const setDigestFrequency = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/courses/mails',
  tag: 'courses',
  summary: 'How often I am mailed what is new in the courses I follow',
  body: mailChange,
  answers: { 200: mailChange },
  refusals: ['invalid_input'],
})

export const unsubscribeFromDigest = defineEndpoint({
  method: 'POST',
  path: '/unsubscribe',
  tag: 'courses',
  summary: 'End the mails about courses, by the link in them',
  description: 'One click (RFC 8058): mail programs post to the address of the page that people open.',
  public: true,
  query: unsubscribeQuery,
  answers: { 204: { empty: true, meaning: 'There will be no more of them' } },
  refusals: ['invalid_input', 'unsubscribe_link_invalid'],
})
