import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { expect, it } from 'vitest'
import { fail } from '../failure.ts'
import { openTestApp } from '../test/app.ts'
import { expectRefusal } from '../test/refusal.ts'
import { handleError } from './error-handler.ts'
import { closeRoutes } from './guard.ts'

type Route = { method: string; url: string }

/** Every route of the server, whoever registers it: those of plugins and the HEAD beside each GET among them. */
const routes: Route[] = []
const watch = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.push({ method: name, url })
  })
}
subscribe('fastify.initialization', watch)
const { app } = await openTestApp()
await app.ready()
unsubscribe('fastify.initialization', watch)

/** What everybody may call, besides the files of the pages and of the API's reference. */
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
  'GET /',
]
const isFile = (url: string) => /^\/api\/docs(\/|$)|^\/assets\/|^\/[\w.-]+\.\w+$/.test(url)
const isPublic = ({ method, url }: Route) =>
  isFile(url) || publicCalls.includes(`${method.replace('HEAD', 'GET')} ${url}`)
const ask = ({ method, url }: Route) =>
  app.inject({ method: method as 'GET', url: url.replaceAll(/:\w+/g, '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1') })

it('knows routes of every kind', () => {
  const names = routes.map(({ method, url }) => `${method} ${url}`)
  expect(names).toEqual(expect.arrayContaining(publicCalls.filter((name) => name !== 'GET /')))
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

it('closes a route that says nothing of it', async () => {
  const server = Fastify()
  server.setErrorHandler(handleError)
  closeRoutes(server, async () => fail('unauthorized'))
  server.get('/forgotten', async () => 'secret')
  server.get('/open', { config: { public: true } }, async () => 'everybody’s')
  expectRefusal(await server.inject('/forgotten'), 'unauthorized')
  expect((await server.inject('/open')).body).toBe('everybody’s')
})

it('answers 404 where there is no route', async () => {
  expectRefusal(await app.inject('/api/nothing'), 'not_found')
})
