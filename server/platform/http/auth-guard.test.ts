import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { setRole } from '../../features/auth/roles/roles.ts'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { createSuspendedUser } from '../../testing/students.ts'

type Route = { method: string; url: string }

/** Every route of the server, including those of plugins and the HEAD route of each GET. */
const routes: Route[] = []
const watch = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.push({ method: name, url })
  })
}
subscribe('fastify.initialization', watch)
const test = await openTestApp()
const { app } = test
await app.ready()
unsubscribe('fastify.initialization', watch)

/** These routes exist only when the pages are built. */
const pages = ['GET /', 'GET /notes/:id']
/** The public routes, besides the files of the pages and of the API reference. */
const publicCalls = [
  'POST /api/users/',
  'POST /api/users/login',
  'POST /api/users/login/code',
  'POST /api/users/login/passkey',
  'POST /api/users/login/passkey/options',
  'POST /api/users/logout',
  'POST /api/users/auth/logout',
  'POST /api/users/auth/refresh',
  'POST /api/users/forgot-password',
  'POST /api/users/reset-password',
  'POST /api/users/verify',
  'POST /api/users/verify/password',
  'POST /api/users/verify/resend',
  'POST /api/users/not-me',
  'POST /api/users/confirm-email',
  'GET /api/config',
  'GET /api/about',
  'GET /api/registration',
  'POST /api/copyright',
  'GET /api/thumbnails/:key/:file',
  'POST /unsubscribe',
  'GET /healthz',
  'GET /readyz',
  'GET /api/openapi.json',
  'GET /dev/outbox',
  'GET /dev/outbox/:id',
  ...pages,
]
/**
 * The routes that a suspended student may call too: user and suspension, sessions, password, export and account
 * deletion.
 */
const callsWhileSuspended = [
  'GET /api/users/me',
  'POST /api/users/me/password',
  'GET /api/users/me/sessions',
  'POST /api/users/me/sessions/:id/end',
  'POST /api/users/me/sessions/end-others',
  'GET /api/users/me/leaving',
  'POST /api/users/me/leaving',
  'DELETE /api/users/me/leaving',
  'GET /api/users/me/export',
  'POST /api/users/me/export',
  'GET /api/users/me/export/file',
]
const isFile = (url: string) => /^\/api\/docs(\/|$)|^\/assets\/|^\/[\w.-]+\.\w+$/.test(url)
const isPublic = ({ method, url }: Route) =>
  isFile(url) || publicCalls.includes(`${method.replace('HEAD', 'GET')} ${url}`)
const isOpenToSuspended = ({ method, url }: Route) =>
  callsWhileSuspended.includes(`${method.replace('HEAD', 'GET')} ${url}`)
const ask = ({ method, url }: Route, headers = {}) =>
  app.inject({ method: method as 'GET', url: url.replaceAll(/:\w+/g, '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1'), headers })

it('knows routes of every kind', () => {
  const names = routes.map(({ method, url }) => `${method} ${url}`)
  expect(names).toEqual(expect.arrayContaining(publicCalls.filter((name) => !pages.includes(name))))
  expect(names).toContain('PATCH /api/notes/:id/rating')
  expect(names).toContain('HEAD /api/notes/:id/view')
})

it('refuses everything that is not named public without a token, before the request is looked at', async () => {
  const closed = routes.filter((route) => !isPublic(route))
  expect(closed.length).toBeGreaterThan(8)
  for (const route of closed) {
    const response = await ask(route)
    if (route.method === 'HEAD') expect(response.statusCode, route.url).toBe(401)
    else expectRefusal(response, 'unauthorized')
    expect(response.headers['cache-control']).toBe('no-store')
  }
})

it('refuses none of what is public for the want of a token', async () => {
  for (const route of routes.filter(isPublic)) {
    const response = await ask(route)
    const isUnauthorized = response.statusCode === 401 && response.body.includes('Unauthorized')
    expect(isUnauthorized, `${route.method} ${route.url}`).toBe(false)
  }
})

it('refuses a suspended user everything that is neither public nor listed here, and nothing listed', async () => {
  const { auth } = await createSuspendedUser(test)
  const [open, closed] = [routes.filter(isOpenToSuspended), routes.filter((route) => !isPublic(route))]
  expect(open).toHaveLength(callsWhileSuspended.length + open.filter(({ method }) => method === 'HEAD').length)
  for (const route of closed) {
    const response = await ask(route, auth)
    const name = `${route.method} ${route.url}`
    if (isOpenToSuspended(route))
      expect([200, 204, 400, 404], `${name}: ${response.body}`).toContain(response.statusCode)
    else {
      expect(response.statusCode, name).toBe(403)
      if (route.method !== 'HEAD') expect(response.json(), name).toMatchObject({ code: 'account_suspended' })
    }
  }
})

it('answers 404 for what needs a role to everybody without it, whatever they send, also to who had it (I4, I5)', async () => {
  const closed = Object.values<Endpoint>(endpoints).filter(({ role }) => role !== undefined)
  expect(new Set(closed.map(({ role }) => role))).toEqual(new Set(['moderator', 'admin']))
  const [student, moderator] = [await createUser(test), await createUser(test, { role: 'moderator' })]
  const former = await createUser(test, { role: 'admin' })
  const send = ({ method, path }: Endpoint, { auth }: TestUser) =>
    app.inject({ method, url: path.replace(':id', 'x'), headers: auth, payload: method === 'GET' ? undefined : '{' })
  for (const endpoint of closed) expect((await send(endpoint, former)).json().code).not.toBe('not_found')
  await setRole(test.deps, former.email, 'student')
  for (const endpoint of closed) {
    const others = [student, former, ...(endpoint.role === 'admin' ? [moderator] : [])]
    for (const user of others) expectRefusal(await send(endpoint, user), 'not_found')
  }
})
