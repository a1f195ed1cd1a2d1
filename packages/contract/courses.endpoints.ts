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
  summary: 'List courses',
  description: 'Courses that have notes, by code. With a text, also imported courses that have none yet.',
  query: coursesQuery,
  responses: { 200: coursePage },
  errorCodes: ['busy'],
})

export const getCourse = defineEndpoint({
  method: 'GET',
  path: '/api/courses/:code',
  tag: 'courses',
  summary: 'Get a course',
  params: courseParams,
  responses: { 200: courseDetails },
  errorCodes: ['course_not_found', 'busy'],
})

export const listCourseNotes = defineEndpoint({
  method: 'GET',
  path: '/api/courses/:code/notes',
  tag: 'courses',
  summary: 'List the notes of a course',
  params: courseParams,
  query: courseNotesQuery,
  responses: { 200: notePage },
  errorCodes: ['busy'],
})

export const followCourse = defineEndpoint({
  method: 'POST',
  path: '/api/courses/:code/follow',
  tag: 'courses',
  summary: 'Follow a course',
  params: courseParams,
  responses: { 204: { empty: true, description: 'The course is followed' } },
  errorCodes: ['course_not_found', 'too_many_courses'],
})

export const unfollowCourse = defineEndpoint({
  method: 'DELETE',
  path: '/api/courses/:code/follow',
  tag: 'courses',
  summary: 'Unfollow a course',
  params: courseParams,
  responses: { 204: { empty: true, description: 'The course is not followed' } },
})

export const listFollowedCourses = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/courses',
  tag: 'courses',
  summary: 'List the courses I follow',
  responses: { 200: followedCourses },
})

export const listNewNotes = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/courses/notes',
  tag: 'courses',
  summary: 'List the newest notes of others in the courses I follow',
  responses: { 200: newNotes },
  errorCodes: ['busy'],
})

export const setDigestFrequency = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/courses/mails',
  tag: 'courses',
  summary: 'Set how often I get emails about the courses I follow',
  body: mailChange,
  responses: { 200: mailChange },
})

export const unsubscribeFromDigest = defineEndpoint({
  method: 'POST',
  path: '/unsubscribe',
  whileFull: true,
  tag: 'courses',
  summary: 'Unsubscribe from emails about courses',
  description:
    'Takes the token of the link in these emails. One-click unsubscribe (RFC 8058): mail programs post to the address of the page that users open.',
  public: true,
  query: unsubscribeQuery,
  responses: { 204: { empty: true, description: 'Unsubscribed' } },
  errorCodes: ['unsubscribe_link_invalid'],
})
