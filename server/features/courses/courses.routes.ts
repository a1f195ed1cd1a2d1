import * as endpoints from '../../../packages/contract/courses.endpoints.ts'
import { getPerson, listPersonNotes } from '../../../packages/contract/people.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { queryTimeoutMs } from '../../platform/db/query-with-timeout.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { setDigestFrequency, unsubscribe } from './course-digests.ts'
import { deleteFollow, findNewNotes } from './courses.queries.ts'
import * as courses from './courses.ts'
import { getPersonProfile, listNotesOf } from './people/people.ts'

export function courseRoutes(app: App, deps: Deps): void {
  const { db, readAnyway } = deps
  const queryInTime = <T>(viewer: Viewer, read: (db: Db) => Promise<T>) =>
    deps.queryWithTimeout(viewer, queryTimeoutMs, read)

  registerEndpoint(app, endpoints.listCourses, ({ viewer, query }) =>
    queryInTime(viewer, (db) => courses.listCourses(db, viewer, query)),
  )

  registerEndpoint(app, endpoints.getCourse, ({ viewer, params }) =>
    queryInTime(viewer, (db) => courses.getCourse(db, viewer, params.code)),
  )

  registerEndpoint(app, endpoints.listCourseNotes, ({ viewer, params, query }) =>
    queryInTime(viewer, (db) => courses.listCourseNotes(db, viewer, params.code, query)),
  )

  registerEndpoint(app, endpoints.followCourse, ({ viewer, params }) => courses.followCourse(db, viewer, params.code))

  registerEndpoint(app, endpoints.unfollowCourse, ({ viewer, params }) => deleteFollow(db, viewer.id, params.code))

  registerEndpoint(app, endpoints.listFollowedCourses, ({ viewer }) => courses.listFollowedCourses(db, viewer))

  registerEndpoint(app, endpoints.listNewNotes, async ({ viewer }) => ({
    notes: await queryInTime(viewer, (db) => findNewNotes(db, viewer)),
  }))

  registerEndpoint(app, endpoints.setDigestFrequency, async ({ viewer, body }) => ({
    mails: await setDigestFrequency(db, viewer.id, body.mails),
  }))

  registerEndpoint(app, getPerson, ({ viewer, params }) => readAnyway((db) => getPersonProfile(db, viewer, params.id)))

  registerEndpoint(app, listPersonNotes, ({ viewer, params, query }) => listNotesOf(deps, viewer, params.id, query))

  app.register(async (scope: App) => {
    // RFC 8058: the form contains only `List-Unsubscribe=One-Click`; the address has the token.
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
      done(null),
    )
    registerEndpoint(scope, endpoints.unsubscribeFromDigest, ({ query }) => unsubscribe(deps, query.token))
  })
}
