import * as courses from './courses.ts'
import { endpointsOf } from './endpoint.ts'
import { notePage } from './search.ts'

const define = endpointsOf('courses')

export const listCourses = define('GET', '/api/courses', {
  summary: 'List courses',
  description: 'Courses that have notes, by code. With a text, also imported courses that have none yet.',
  query: courses.coursesQuery,
  responses: { 200: courses.coursePage },
  errorCodes: ['busy'],
})

export const getCourse = define('GET', '/api/courses/:code', {
  summary: 'Get a course',
  params: courses.courseParams,
  responses: { 200: courses.courseDetails },
  errorCodes: ['course_not_found', 'busy'],
})

export const listCourseNotes = define('GET', '/api/courses/:code/notes', {
  summary: 'List the notes of a course',
  params: courses.courseParams,
  query: courses.courseNotesQuery,
  responses: { 200: notePage },
  errorCodes: ['busy'],
})

export const followCourse = define('POST', '/api/courses/:code/follow', {
  summary: 'Follow a course',
  params: courses.courseParams,
  responses: { 204: { empty: true, description: 'The course is followed' } },
  errorCodes: ['course_not_found', 'too_many_courses'],
})

export const unfollowCourse = define('DELETE', '/api/courses/:code/follow', {
  summary: 'Unfollow a course',
  params: courses.courseParams,
  responses: { 204: { empty: true, description: 'The course is not followed' } },
})

export const listFollowedCourses = define('GET', '/api/users/me/courses', {
  summary: 'List the courses I follow',
  responses: { 200: courses.followedCourses },
})

export const listNewNotes = define('GET', '/api/users/me/courses/notes', {
  summary: 'List the newest notes of others in the courses I follow',
  responses: { 200: courses.newNotes },
  errorCodes: ['busy'],
})

export const setDigestFrequency = define('PATCH', '/api/users/me/courses/mails', {
  summary: 'Set how often I get emails about the courses I follow',
  body: courses.mailChange,
  responses: { 200: courses.mailChange },
})

export const unsubscribeFromDigest = define('POST', '/unsubscribe', {
  whileFull: true,
  summary: 'Unsubscribe from emails about courses',
  description:
    'Takes the token of the link in these emails. One-click unsubscribe (RFC 8058): mail programs post to the address of the page that users open.',
  public: true,
  query: courses.unsubscribeQuery,
  responses: { 204: { empty: true, description: 'Unsubscribed' } },
  errorCodes: ['unsubscribe_link_invalid'],
})
