import type { LightMyRequestResponse } from 'fastify'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, openTestAppOn, type TestApp, type TestUser } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { post } from '../../testing/students.ts'

const limits = { RATE_LIMIT: 'on', MAX_FILES_PER_HOUR: '20', MAX_READS_PER_HOUR: '30', MAX_CHANGES_PER_HOUR: '25' }
const one = await openTestApp(limits)
const other = await openTestAppOn(one, limits)
const noteId = await createNote(one, await createUser(one))

type Ask = (server: TestApp, student: TestUser) => Promise<LightMyRequestResponse>
const get =
  (url: string): Ask =>
  ({ app }, { auth }) =>
    app.inject({ url, headers: auth })
const patch =
  (url: string, payload: object): Ask =>
  ({ app }, { auth }) =>
    app.inject({ method: 'PATCH', url, headers: auth, payload })
/** Each server here has its own folder, so this asks only for the headers of a file. */
const askForFile: Ask = ({ app }, { auth }) =>
  app.inject({ method: 'HEAD', url: `/api/notes/${noteId}/view`, headers: auth })
const kinds: [string, Ask, Ask][] = [
  ['files', askForFile, get('/api/notes')],
  ['lists and searches', get('/api/notes'), askForFile],
  ['searches inside the notes', get('/api/search?text=waves'), askForFile],
  ['suggestions', get('/api/suggestions?text=waves'), askForFile],
  ['changes', patch(`/api/notes/${noteId}/rating`, { likes: '+' }), get('/api/notes')],
  ['changes of what was viewed last', patch('/api/users/me', { recentlyViewedNotes: [noteId] }), get('/api/users/me')],
]

it.each(kinds)('too many %s end with Retry-After on every server, for one student', async (_what, ask, askElse) => {
  const [student, neighbour] = await Promise.all([createUser(one), createUser(one)])
  let answered = 0
  const askUntilRefused = async (server: TestApp) => {
    const answer = await ask(server, student)
    if (answer.statusCode !== 429) answered++
    return answer.statusCode
  }
  await expect.poll(() => askUntilRefused(one)).toBe(429)
  expect(answered).toBeGreaterThanOrEqual(20)
  await expect.poll(() => askUntilRefused(other)).toBe(429)
  for (const server of [one, other]) {
    const refused = await ask(server, student)
    if (refused.body !== '') expectRefusal(refused, 'rate_limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600)
    // Only this kind of request is refused, and only for this student.
    expect((await askElse(server, student)).statusCode).toBe(200)
    expect((await ask(server, neighbour)).statusCode).toBe(200)
  }
})

it('leave the account itself alone: a stolen session cannot keep its student from ending it', async () => {
  const student = await createUser(one)
  const sessions = await get('/api/users/me/sessions')(one, student)
  for (const [, ask] of kinds) await expect.poll(async () => (await ask(one, student)).statusCode).toBe(429)
  expect((await get('/api/users/me')(one, student)).statusCode).toBe(200)
  expect((await get('/api/users/me/sessions')(one, student)).json()).toEqual(sessions.json())
  const wrong = { currentPassword: 'Not the right one 1' }
  expectRefusal(await post(one, '/api/users/me/sessions/end-others', wrong, student.auth), 'wrong_password')
  const password = 'Quite another desk 7!'
  const given = { ...wrong, password, confirmPassword: password }
  expectRefusal(await post(one, '/api/users/me/password', given, student.auth), 'wrong_password')
})

it('asks PostgreSQL once for many requests', async () => {
  const generous = await openTestAppOn(one, { ...limits, MAX_READS_PER_HOUR: '10000' })
  const student = await createUser(one)
  const countOf = async () => {
    const counts = one.deps.db.selectFrom('rate_limits').select('points').where('key', 'like', 'student-reads:%')
    const rows = await counts.orderBy('key').execute()
    return rows.map(({ points }) => Number(points))
  }
  const before = await countOf()
  for (let n = 0; n < 50; n++) expect((await get('/api/about')(generous, student)).statusCode).toBe(200)
  expect(await countOf()).toEqual(before)
  for (let n = 0; n < 50; n++) expect((await get('/api/notes')(generous, student)).statusCode).toBe(200)
  await expect.poll(async () => (await countOf()).length).toBe(before.length + 1)
  // The count contains the first request and one share of the limit.
  expect(Math.max(...(await countOf()))).toBe(201)
})

it('is nothing where limits are off', async () => {
  const off = await openTestAppOn(one, { ...limits, RATE_LIMIT: 'off' })
  const student = await createUser(one)
  for (let n = 0; n < 100; n++) expect((await get('/api/notes')(off, student)).statusCode).toBe(200)
})
