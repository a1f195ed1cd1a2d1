import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { pageSize } from '../../../../packages/contract/limits.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { NotePage } from '../../../../packages/contract/search.ts'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../../testing/app.ts'
import { canary, expectNoLeak } from '../../../testing/canary.ts'
import { expectRefusal, toComparable } from '../../../testing/refusal.ts'
import { patch } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const reader = await createUser(test, { name: 'Ben Ito' })
const get = (url: string, { auth }: Pick<TestUser, 'auth'> = reader) => test.app.inject({ url, headers: auth })
const getPerson = (id: string, user?: TestUser) => get(`/api/people/${id}`, user)
const getNotes = (id: string, query = '', user?: TestUser) => get(`/api/people/${id}/notes?${query}`, user)
const titlesOf = ({ notes }: NotePage) => notes.map((note) => note.title)
const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T10:00:00.000Z`

it('returns the named notes of an author, their number and the date of the first', async () => {
  const author = await createUser(test, { name: 'Ada Okafor' })
  await createNote(test, author, { title: 'Second', createdAt: day(2), likes: 9 })
  await createNote(test, author, { title: 'First', createdAt: day(1), likes: 3 })
  await createNote(test, author, { title: 'Third', createdAt: day(3), likes: 3 })
  await createNote(test, author, { title: 'Nobody’s', createdAt: '2025-01-01T10:00:00.000Z', isAnonymous: true })
  await createNote(test, await createUser(test), { title: 'Of another' })
  expect((await getPerson(author.id)).json()).toEqual({ _id: author.id, name: 'Ada Okafor', notes: 3, since: day(1) })
  const newest: NotePage = (await getNotes(author.id)).json()
  expect([titlesOf(newest), newest.hasMore]).toEqual([['Third', 'Second', 'First'], false])
  for (const note of newest.notes) expect(note.user).toEqual({ _id: author.id, name: 'Ada Okafor' })
  expect(titlesOf((await getNotes(author.id, 'sortBy=likes')).json())[0]).toBe('Second')
  expect(titlesOf((await getNotes(author.id, 'title=thi')).json())).toEqual(['Third'])
  expect(titlesOf((await getNotes(author.id, 'title=nobody')).json())).toEqual([])
})

it.for(['createdAt', 'likes'])(
  'goes on from the last note by %s, each once, until the end',
  async (sortBy, { author }) => {
    const ids: string[] = []
    // Some notes have the same time and the same likes.
    for (let number = 0; number < 2 * pageSize + 3; number++)
      ids.push(await createNote(test, author, { createdAt: day(1 + Math.floor(number / 10)), likes: number % 4 }))
    const seen: Note[] = []
    for (let hasMore = true, cursor = ''; hasMore; ) {
      const page: NotePage = (await getNotes(author.id, `sortBy=${sortBy}${cursor}`)).json()
      seen.push(...page.notes)
      const last = page.notes.at(-1)
      cursor = `&cursorId=${last?._id}&cursorValue=${sortBy === 'likes' ? last?.likes : last?.createdAt}`
      hasMore = page.hasMore
    }
    expect(seen.map((note) => note._id).sort()).toEqual(ids.sort())
  },
)

it('answers 404 for an account without named notes, to itself as well', async () => {
  const [author, quiet] = await Promise.all([createUser(test, canary), createUser(test)])
  for (let number = 0; number < 30; number++) await createNote(test, author, { isAnonymous: true, likes: number })
  const anonymous = await createNote(test, author, { isAnonymous: true })
  for (const ask of [getPerson, getNotes, (id: string) => getNotes(id, 'sortBy=likes&title=linear')]) {
    const unknown = await ask(randomUUID())
    expectRefusal(unknown, 'person_not_found')
    for (const answer of [await ask(author.id), await ask(quiet.id), await ask(anonymous)]) {
      expect(toComparable(answer)).toEqual(toComparable(unknown))
      expectNoLeak(author, answer)
    }
  }
  expectRefusal(await getPerson(author.id, author), 'person_not_found')
  expectRefusal(await getNotes(author.id, '', author), 'person_not_found')
})

it('reveals no anonymous notes of the author, for any query', async ({ author }) => {
  const twin = await createUser(test, { name: author.name })
  for (const user of [author, twin]) {
    await createNote(test, user, { title: 'Rings', createdAt: day(5), likes: 2 })
    await createNote(test, user, { title: 'Fields', createdAt: day(7), likes: 4 })
  }
  const hidden: string[] = []
  for (const likes of [1, 3, 5])
    hidden.push(await createNote(test, author, { title: 'Quoxl', isAnonymous: true, createdAt: day(likes + 3), likes }))
  /** Returns the responses without ids and other values that differ by chance. */
  const collectResponses = async (user: TestUser, asker: TestUser) => {
    const queries = ['', 'sortBy=likes', 'title=quoxl', 'courseCode=mat', `cursorId=${hidden[1]}&cursorValue=${day(6)}`]
    const answers = [await getPerson(user.id, asker)]
    for (const query of queries) answers.push(await getNotes(user.id, query, asker))
    for (const answer of answers) for (const id of hidden) expect(answer.body).not.toContain(id)
    const byChance = /,?"(_id|thumbnail|version)":"[^"]+"/g
    return answers.map(({ statusCode, body }) => [statusCode, body.replaceAll(byChance, '')])
  }
  const expected = await collectResponses(twin, reader)
  expect(await collectResponses(author, reader)).toEqual(expected)
  // The author sees the page as others do.
  expect(await collectResponses(author, author)).toEqual(expected)
})

it('forgets a note that becomes anonymous, and the author with the last one', async ({ author }) => {
  const details = { courseCode: 'MAT137', academicYear: '2025–26' }
  const [first, second] = [await createNote(test, author), await createNote(test, author, { createdAt: day(1) })]
  const flip = (id: string, isAnonymous: boolean) =>
    patch(test, `/api/users/me/notes/${id}`, { ...details, isAnonymous }, author.auth)
  expect((await flip(second, true)).statusCode).toBe(200)
  expect((await getPerson(author.id)).json()).toMatchObject({ notes: 1, since: expect.not.stringMatching(day(1)) })
  expect((await flip(first, true)).statusCode).toBe(200)
  expectRefusal(await getPerson(author.id), 'person_not_found')
  expect((await flip(first, false)).statusCode).toBe(200)
  expect((await getPerson(author.id)).json()).toMatchObject({ notes: 1 })
})

it('refuses what is no id', async () => {
  for (const ask of [getPerson, getNotes]) expectRefusal(await ask('1'), 'invalid_input', 'Invalid UUID')
})
