import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { recentlyViewedLimit } from '../../../../packages/contract/limits.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import { createNote, createUser, itWithUsers, noLists, openTestApp, type TestUser } from '../../../testing/app.ts'
import { expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import { get, rate, remove } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const getMe = (user: TestUser) => get(test, '/api/users/me', user.auth)
const json = { 'content-type': 'application/json' }
const patchMe = (user: TestUser, payload: object | string, headers = {}) =>
  test.app.inject({ method: 'PATCH', url: '/api/users/me', headers: { ...user.auth, ...json, ...headers }, payload })
const view = (user: TestUser, recentlyViewedNotes: unknown, headers = {}) =>
  patchMe(user, { recentlyViewedNotes }, headers)

const createNotes = (owner: TestUser, count: number) =>
  Promise.all(Array.from({ length: count }, () => createNote(test, owner)))

async function storedList(user: TestUser): Promise<string[]> {
  const stored = db.selectFrom('recently_viewed').selectAll().where('user_id', '=', user.id).orderBy('position')
  const rows = await stored.execute()
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index))
  return rows.map(({ note_id }) => note_id)
}

it('GET /api/users/me answers with the user and nothing else of the account', async () => {
  const user = await createUser(test, { name: 'Zoë Ångström' })
  const response = await expectStatus(200, getMe(user))
  expect(response.json()).toEqual({
    user: { _id: user.id, name: 'Zoë Ångström', email: user.email, ...noLists, version: expect.any(String) },
  })
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.headers.etag).toBe(`"${response.json().user.version}"`)
})

it('GET /api/users/me holds the liked, disliked and viewed notes, the latest first, whole where they are shown', async () => {
  const [owner, reader] = await Promise.all([createUser(test, { name: 'Eve' }), createUser(test)])
  const [first = '', second = '', third = ''] = await createNotes(owner, 3)
  await rate(test, reader, first, { likes: '+' })
  await rate(test, reader, second, { likes: '+' })
  await rate(test, reader, third, { dislikes: '+' })
  await view(reader, [third, first])
  const { user } = (await getMe(reader)).json()
  expect(user).toMatchObject({
    likedNotes: [second, first],
    dislikedNotes: [third],
    likedNotesDisplay: [{ _id: second }, { _id: first }],
    recentlyViewedNotes: [
      { _id: third, dislikes: 1, user: { _id: owner.id, name: 'Eve' } },
      { _id: first, likes: 1 },
    ],
  })
  expect((await getMe(owner)).json().user).toMatchObject({ likedNotes: [], recentlyViewedNotes: [] })
  // A later like replaces the dislike.
  await rate(test, reader, first, { dislikes: '+' })
  await rate(test, reader, first, { likes: '+' })
  expect((await getMe(reader)).json().user).toMatchObject({ likedNotes: [first, second] })
})

it('PATCH /api/users/me replaces the list of recently viewed notes, in the order given', async ({ owner, reader }) => {
  const [first = '', second = '', third = ''] = await createNotes(owner, 3)
  for (const list of [[first], [second, first], [first, third, second], []]) {
    const response = await expectStatus(200, view(reader, list))
    const { user } = response.json()
    expect(user).toMatchObject({ _id: reader.id, email: reader.email })
    expect(user.recentlyViewedNotes.map((note: { _id: string }) => note._id)).toEqual(list)
    expect(await storedList(reader)).toEqual(list)
  }
  expect((await getMe(reader)).json().user.recentlyViewedNotes).toEqual([])
})

it('PATCH /api/users/me drops unknown ids and repetitions, and keeps as many as it may (B6)', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const notes = await createNotes(owner, recentlyViewedLimit + 2)
  const deleted = await createNote(test, owner)
  await remove(test, `/api/users/me/notes/${deleted}`, owner.auth)
  const [first = ''] = notes
  const list = [deleted, randomUUID(), first.toUpperCase(), first, ...notes, first]
  expect((await view(reader, list)).statusCode).toBe(200)
  expect(await storedList(reader)).toEqual(notes.slice(0, recentlyViewedLimit))
})

it('PATCH /api/users/me changes nothing else, whatever is sent along (B5)', async ({ user, stranger }) => {
  const noteId = await createNote(test, stranger)
  const account = () => db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirst()
  const before = [await account(), (await getMe(stranger)).json()]
  const response = await patchMe(user, {
    ...{ _id: stranger.id, id: stranger.id, user_id: stranger.id, name: 'Mallory', email: 'mallory@evil.example' },
    ...{ password: 'Mallorys desk 42!', password_hash: 'x', isVerified: false, createdAt: '2001-01-01T00:00:00.000Z' },
    ...{ likedNotes: [noteId], likedNotesDisplay: [noteId], dislikedNotes: [noteId], recentlyViewedNotes: [] },
  })
  expect(response.statusCode).toBe(200)
  expect(response.json().user).toMatchObject({ _id: user.id, name: user.name, likedNotes: [], dislikedNotes: [] })
  expect([await account(), (await getMe(stranger)).json()]).toEqual(before)
  expect(await db.selectFrom('ratings').selectAll().where('user_id', '=', user.id).execute()).toEqual([])
})

it.for([
  ['nothing', {}],
  ['an object', { recentlyViewedNotes: { 0: randomUUID(), length: 1 } }],
  ['an id with a NUL', { recentlyViewedNotes: [`${randomUUID()}\u0000`] }],
  ['an id among something else', { recentlyViewedNotes: [randomUUID(), 7] }],
  ['100,000 ids', { recentlyViewedNotes: Array(100_000).fill(randomUUID()) }],
  ['100,000 wrong ones', { recentlyViewedNotes: Array(100_000).fill('x') }],
  ['a list instead of an object', []],
] as const)('PATCH /api/users/me refuses %s and changes nothing (B6, B7)', async ([_what, payload], { user }) => {
  const noteId = await createNote(test, user)
  await view(user, [noteId])
  const response = await expectStatus(400, patchMe(user, payload))
  expect(['invalid_input', 'malformed_request']).toContain(response.json().code)
  expect(response.body.length).toBeLessThan(1_000)
  expect(await storedList(user)).toEqual([noteId])
})

it('keeps one of a hundred lists saved simultaneously, whole (E20)', async ({ owner, reader }) => {
  const notes = await createNotes(owner, 6)
  const lists = Array.from({ length: 100 }, (_, n) => {
    const start = n % notes.length
    return [...notes.slice(start), ...notes.slice(0, start)].slice(0, 1 + (n % 5))
  })
  const responses = await Promise.all(lists.map((list) => view(reader, list)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200))
  expect(lists).toContainEqual(await storedList(reader))
})

it('loses nothing of lists that tabs save simultaneously, each with the version it read (If-Match)', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const notes = await createNotes(owner, 6)
  const openNote = async (noteId: string): Promise<void> => {
    const me = await getMe(reader)
    const viewed = me.json<{ user: User }>().user.recentlyViewedNotes.map(({ _id }) => _id)
    const saved = await view(reader, [noteId, ...viewed], { 'if-match': me.headers.etag })
    if (saved.statusCode === 200) return
    expectRefusal(saved, 'outdated')
    return openNote(noteId)
  }
  await Promise.all(notes.map(openNote))
  expect((await storedList(reader)).toSorted()).toEqual(notes.toSorted())
  expectRefusal(await view(reader, [], { 'if-match': '"x"' }), 'outdated')
  expect(await storedList(reader)).toHaveLength(notes.length)
})

it('does not quarrel with notes being deleted meanwhile', async () => {
  const [owner, ...readers] = await Promise.all(Array.from({ length: 5 }, () => createUser(test)))
  if (!owner) throw new Error('Five users were made')
  for (let round = 0; round < 5; round++) {
    const notes = await createNotes(owner, 8)
    for (const reader of readers) await view(reader, notes)
    const saves = readers.flatMap((reader) => [view(reader, notes.toReversed()), view(reader, notes)])
    const deletions = notes.map((noteId) => remove(test, `/api/users/me/notes/${noteId}`, owner.auth))
    const statuses = (await Promise.all([...saves, ...deletions])).map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([...Array(saves.length).fill(200), ...Array(deletions.length).fill(204)])
  }
  const ids = readers.map(({ id }) => id)
  expect(await db.selectFrom('recently_viewed').selectAll().where('user_id', 'in', ids).execute()).toEqual([])
})
