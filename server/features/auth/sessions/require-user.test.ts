import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { deriveSecret } from '../../../platform/db/secret.ts'
import { createNote, createUser, openTestApp } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { cookieOf, getMe, logIn, register, requestReset } from '../../../testing/students.ts'
import { createRequireUser } from './require-user.ts'

const test = await openTestApp()
const user = await createUser(test)
const noteId = await createNote(test, user)

const routes = [
  ['GET', '/api/users/me'],
  ['PATCH', '/api/users/me'],
  ['GET', '/api/notes'],
  ['GET', '/api/users/me/notes'],
  ['GET', '/api/users/me/notes/liked'],
  ['GET', `/api/users/me/notes/same-file?sha256=${'0'.repeat(64)}`],
  ['POST', '/api/notes'],
  ['GET', `/api/notes/${noteId}/view`],
  ['PATCH', `/api/notes/${noteId}/rating`],
  ['PATCH', `/api/users/me/notes/${noteId}`],
  ['DELETE', `/api/users/me/notes/${noteId}`],
] as const

const seconds = () => Math.floor(Date.now() / 1000)
const ourKey = deriveSecret(test.deps.secret, 'access-token')

/** Builds a token as the server does, except for the given parts. */
function forge({ sid = user.sessionId, exp = `${seconds() + 600}`, key = ourKey, hash = 'sha256' } = {}): string {
  return `${sid}.0.${exp}.${createHmac(hash, key).update(`${sid}.0.${exp}`).digest('base64url')}`
}

const anonymousViewer = '00000000-0000-4000-8000-000000000000'

async function refusedTokens(): Promise<[string, string | undefined][]> {
  const valid = forge()
  const stranger = await createUser(test)
  const login = await logIn(test, user.email)
  const ended = await createUser(test)
  await test.deps.db.deleteFrom('sessions').where('id', '=', ended.sessionId).execute()
  return [
    ['no header', undefined],
    ['no token', 'Bearer '],
    ['another scheme', `Basic ${valid}`],
    ['no scheme', valid],
    ['nonsense', 'Bearer a.b.c'],
    ['two tokens', `Bearer ${valid} ${valid}`],
    ['an expired one', `Bearer ${forge({ exp: `${seconds() - 61}` })}`],
    ['one that never expires', `Bearer ${forge({ exp: '' })}`],
    ['an expiry that is no number', `Bearer ${forge({ exp: 'never' })}`],
    ['no signature', `Bearer ${valid.slice(0, valid.lastIndexOf('.') + 1)}`],
    ['a shorter signature', `Bearer ${valid.slice(0, -1)}`],
    ['another algorithm', `Bearer ${forge({ hash: 'sha512' })}`],
    ['another key', `Bearer ${forge({ key: 'a guess that is wrong, but long' })}`],
    ['the secret itself for a key', `Bearer ${forge({ key: test.deps.secret })}`],
    ['another purpose', `Bearer ${forge({ key: deriveSecret(test.deps.secret, 'refresh-token') })}`],
    ['another session', `Bearer ${valid.replace(user.sessionId, stranger.sessionId)}`],
    ['a later expiry', `Bearer ${valid.replace(/[.]\d+[.]/, `.${seconds() + 6000}.`)}`],
    ['no session', `Bearer ${forge({ sid: anonymousViewer })}`],
    ['an ended session', ended.auth.authorization],
    ['a refresh token', `Bearer ${cookieOf(login).cookie.split('=')[1]}`],
    ['a verification token', `Bearer ${await register(test, 'fresh@uni.example')}`],
    ['a reset token', `Bearer ${await requestReset(test, user.email)}`],
  ]
}

it('routes for signed-in users take a token as ours are, or this file proves nothing', async () => {
  // The last token has just expired by a clock that is a little late.
  for (const authorization of [
    `Bearer ${forge()}`,
    `bearer ${forge()}`,
    `Bearer ${forge({ exp: `${seconds() - 1}` })}`,
  ])
    expect((await getMe(test, { authorization })).statusCode).toBe(200)
})

it('routes for signed-in users refuse every other one before they read the body (B2)', async () => {
  for (const [what, authorization] of await refusedTokens()) {
    for (const [method, url] of routes) {
      const headers = { ...(authorization !== undefined && { authorization }), 'content-type': 'application/json' }
      const request = { method, url, headers, ...(method !== 'GET' && { payload: '{broken' }) } as const
      const response = await test.app.inject(request)
      expect([what, url, response.statusCode]).toEqual([what, url, 401])
      expectRefusal(response, 'unauthorized', 'Unauthorized. Please log in.')
    }
  }
  const notes = await test.deps.db.selectFrom('notes').select(['id', 'likes']).execute()
  expect(notes).toEqual([{ id: noteId, likes: 0 }])
  expect(await test.deps.db.selectFrom('recently_viewed').selectAll().execute()).toEqual([])
})

it('routes for signed-in users know who asks, with the role of the moment', async () => {
  const moderator = await createUser(test)
  const request = { headers: moderator.auth, routeOptions: {} } as unknown as FastifyRequest
  const requireUser = createRequireUser(test.deps)
  await requireUser(request)
  expect(request.viewer).toEqual({ id: moderator.id, role: 'student' })
  await test.deps.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  await requireUser(request)
  expect(request.viewer).toEqual({ id: moderator.id, role: 'moderator' })
})

it('routes for signed-in users do nothing for a session that has ended before the last byte of the body', async () => {
  const { id, name, auth } = await createUser(test)
  async function* sendSlowly() {
    yield '{"name":'
    expect((await test.app.inject({ method: 'POST', url: '/api/users/logout', headers: auth })).statusCode).toBe(204)
    yield '"A thief"}'
  }
  const answer = await test.app.inject({
    method: 'PATCH',
    url: '/api/users/me/name',
    headers: { ...auth, 'content-type': 'application/json' },
    payload: Readable.from(sendSlowly()),
  })
  expectRefusal(answer, 'unauthorized')
  const row = await test.deps.db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ name })
})
