import { expect, test } from 'vitest'
import { listNotes } from '../../../packages/contract/search.endpoints.ts'
import { testUser } from '../../test/test-note.ts'
import { startTestServer } from '../../test/test-server.ts'
import { createApi } from '../api/client.ts'
import { createSession, type SessionState, type SessionUser } from './store.ts'

const ada = testUser()
/** Without her lists, which the pages of notes take over. */
const student: SessionUser = { _id: ada._id, name: ada.name, email: ada.email }
const credentials = { email: 'ada@example.org', password: 'Str0ng!Passw0rd' }
const registration = { name: 'Ada', confirmPassword: credentials.password, ...credentials }
const loginAnswer = { status: 200, body: { accessToken: 'good', user: ada } }
const refused = { status: 401, body: { message: 'Invalid email or password', code: 'invalid_credentials' } }

type Reply = { status: number; body?: unknown }

/** A session on an API that answers with `replies`, and all states of the session. */
async function start(replies: Record<string, Reply> = {}) {
  const server = await startTestServer(({ path }) => replies[path] ?? { status: 204 })
  const api = createApi({ baseUrl: server.baseUrl })
  const session = createSession(api)
  const states: SessionState[] = []
  session.subscribe((state) => states.push(state))
  return Object.assign(server, { api, session, states })
}

const initial = { user: null, isLoading: false, isError: false, isSuccess: false, message: '' }
const pending = { isLoading: true, isError: false, isSuccess: false, message: '' }

test('registering goes pending, then fulfilled without a user', async () => {
  await using app = await start({ '/api/users/': { status: 201, body: { message: 'ok' } } })
  expect(await app.session.register(registration)).toEqual({ ok: true })
  expect(app.states).toEqual([
    { user: null, ...pending },
    { ...initial, isSuccess: true },
  ])
  expect(app.seen[0]).toMatchObject({ method: 'POST', path: '/api/users/', body: registration })
})

test('registering goes pending, then rejected with the message of the answer', async () => {
  const body = { message: 'Passwords do not match', code: 'invalid_input' }
  await using app = await start({ '/api/users/': { status: 400, body } })
  expect(await app.session.register(registration)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  expect(app.states.at(-1)).toEqual({ ...initial, isError: true, message: 'Passwords do not match' })
})

test('logging in goes pending, then fulfilled with the user; the token is no part of the state', async () => {
  await using app = await start({ '/api/users/login': loginAnswer })
  await app.session.login(credentials)
  expect(app.states).toEqual([
    { user: null, ...pending },
    { ...initial, isSuccess: true, user: student },
  ])
  expect(app.api.hasAccessToken()).toBe(true)
  expect(JSON.stringify(app.states)).not.toContain('good')
})

test('logging in goes pending, then rejected with the message; a second attempt clears it while pending', async () => {
  await using app = await start({ '/api/users/login': refused })
  await app.session.login(credentials)
  expect(app.states.at(-1)).toEqual({ ...initial, isError: true, message: 'Invalid email or password' })
  expect(app.api.hasAccessToken()).toBe(false)
  const second = app.session.login(credentials)
  expect(app.session.getState()).toEqual({ user: null, ...pending })
  await second
})

test('logout: rejected, it clears user and token just the same', async () => {
  const body = { message: 'An error occurred', code: 'unexpected' }
  await using app = await start({ '/api/users/login': loginAnswer, '/api/users/logout': { status: 500, body } })
  await app.session.login(credentials)
  expect(await app.session.logout()).toMatchObject({ ok: false })
  expect(app.session.getState()).toMatchObject({ user: null, isLoading: false, isSuccess: false })
  expect(app.api.hasAccessToken()).toBe(false)
})

test('a request of a user who has logged out already sets no flag', async () => {
  const unauthorized = { status: 401, body: { message: 'Unauthorized. Please log in.', code: 'unauthorized' } }
  await using app = await start({ '/api/notes': unauthorized, '/api/users/auth/refresh': refused })
  await expect(app.api.call(listNotes)).rejects.toMatchObject({ status: 401 })
  expect(app.session.getState()).toEqual(initial)
})

test('reset clears error, success, loading and message, and keeps the user', async () => {
  await using app = await start({ '/api/users/login': loginAnswer })
  await app.session.login(credentials)
  app.session.setError(true)
  app.session.reset()
  expect(app.session.getState()).toEqual({ ...initial, user: student })
})

test.each(['login', 'setUser'] as const)('%s: the lists of the answer can be taken, once', async (way) => {
  await using app = await start({ '/api/users/login': loginAnswer })
  if (way === 'login') await app.session.login(credentials)
  else app.session.setUser(ada)
  expect(app.session.consumeLists()).toEqual(ada)
  expect(app.session.consumeLists()).toBeNull()
})

test('no lists stay after a logout', async () => {
  await using app = await start()
  app.session.setUser(ada)
  app.session.clearUser()
  expect(app.session.consumeLists()).toBeNull()
  expect(app.session.getState()).toEqual(initial)
})
