import { globSync, readFileSync } from 'node:fs'
import { InfiniteQueryObserver, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followCourse } from '../../../packages/contract/courses.endpoints.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { decideOnNote } from '../../../packages/contract/moderation.endpoints.ts'
import { changeNote, deleteNote, settleUpload } from '../../../packages/contract/notes.endpoints.ts'
import { changeRating } from '../../../packages/contract/ratings.endpoints.ts'
import { dismissNoteInProgress, saveReadingPosition } from '../../../packages/contract/reading-progress.endpoints.ts'
import {
  changeName,
  changePassword,
  confirmEmail,
  endOtherSessions,
  requestAccountDeletion,
} from '../../../packages/contract/settings.endpoints.ts'
import { enableTwoFactor } from '../../../packages/contract/two-factor.endpoints.ts'
import { emailChangeQuery, sessionsQuery, twoFactorQuery } from '../../features/accounts/settings-queries.ts'
import { coursesQuery, newNotesQuery } from '../../features/courses/course-queries.ts'
import { continueReadingQuery } from '../../features/home/continue-reading-query.ts'
import { queueQuery } from '../../features/moderation/moderation-queries.ts'
import { listKey, removeFromLists } from '../../features/notes/cache/note-cache.ts'
import { authorCasesQuery } from '../../features/notes/cache/user-lists.ts'
import { countQuery, listQuery } from '../../features/notes/list/list-query.ts'
import { preloadPages } from '../../features/notes/list/note-pages.ts'
import { emptySearch, type NoteSearch } from '../../features/search/search-params.ts'
import { testNote } from '../../test/test-note.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { writeEffects } from './write-effects.ts'

// The list of notes reads it on import.
vi.hoisted(() => vi.stubGlobal('history', { state: null }))

const [a, b] = ['0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a01', '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a02']
const params = { id: a }
const inCourse: NoteSearch = { ...emptySearch, courseCode: 'CS101' }
const grouped: NoteSearch = { ...emptySearch, isGrouped: true }
const listed = (...ids: string[]) => ({ notes: ids.map((id) => testNote(id)), hasMore: true })
const rated = { likes: 1, dislikes: 0, user: { likedNotes: [], dislikedNotes: [], likedNotesDisplay: [] } }

/** The pending requests; the test answers them. */
let asked: { path: string; answer: (body: unknown) => void; lose: () => void }[]
const open = () => asked.map(({ path }) => path)
/** Answers the first request of a path after it is sent. */
async function answer(path: string, body: unknown): Promise<void> {
  await expect.poll(open).toContain(path)
  asked.splice(open().indexOf(path), 1)[0]?.answer(body)
}

beforeEach(() => {
  asked = []
  vi.stubGlobal('document', { fonts: { load: async () => [] } })
  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('fetch', async (url: string, { signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = {
      path: url.replace(/^\/api|\?.*$/g, ''),
      answer: (body: unknown) =>
        resolve(body === null ? new Response(null, { status: 204 }) : new Response(JSON.stringify(body))),
      lose: () => reject(new TypeError('Failed to fetch')),
    }
    asked.push(request)
    signal?.addEventListener('abort', () => {
      asked = asked.filter((each) => each !== request)
      reject(signal.reason)
    })
    return promise
  })
})
afterEach(() => queryClient.clear())

const settle = () => api.call(settleUpload, { body: { batch: b, position: 0 } })
const rate = () => api.call(changeRating, { params, body: { likes: '+' } })
const edit = () => api.call(changeNote, { params, body: { courseCode: 'CS102' } })

it('every endpoint that writes has an effect, and nothing else makes a query ask again', () => {
  const writes = Object.values(endpoints).filter(({ method }) => method !== 'GET')
  expect(Object.keys(writeEffects).sort()).toEqual(writes.map(({ method, path }) => `${method} ${path}`).sort())
  const pages = globSync('web/**/*.{ts,tsx}', { exclude: ['web/platform/api/**', '**/*.test.ts'] })
  expect(pages).not.toEqual([])
  const asks = /\b(invalidate|invalidateQueries|refetchQueries|resetQueries)\(/
  expect(pages.filter((path) => asks.test(readFileSync(path, 'utf8')))).toEqual([])
})

it('no list that is not on display stays current after a write to it, and others do', async () => {
  const keys: Record<string, QueryKey> = {
    Browse: listKey('all', emptySearch),
    'a course': listKey('course', inCourse),
    'an author': listKey(b, emptySearch),
    'a filter': listKey('mine', inCourse),
    'by course': listKey('mine', grouped),
    liked: listKey('liked', emptySearch),
    courses: coursesQuery('').queryKey,
  }
  const isCurrent = (key: QueryKey = []) => queryClient.getQueryState(key)?.isInvalidated === false
  const left = async (write: Promise<unknown>, path: string, body: unknown) => {
    queryClient.clear()
    for (const key of Object.values(keys)) queryClient.setQueryData(key, { pages: [], pageParams: [] })
    await answer(path, body)
    await write
    return Object.keys(keys).filter((name) => isCurrent(keys[name]))
  }
  expect(await left(settle(), '/users/me/uploads/settle', { note: null })).toEqual([])
  expect(await left(edit(), `/users/me/notes/${a}/details`, testNote(a))).toEqual(['Browse', 'liked'])
  expect(await left(api.call(changeName, { body: { name: 'Ada' } }), '/users/me/name', { name: 'Ada' })).toEqual([
    'courses',
  ])
  expect(await left(rate(), `/notes/${a}/rating`, rated)).toEqual(Object.keys(keys).filter((name) => name !== 'liked'))
})

const position = () => api.call(saveReadingPosition, { params, body: { page: 2 } })
const password = { currentPassword: 'a', password: 'b', confirmPassword: 'b' }
const endOthers = () => api.call(endOtherSessions, { body: { currentPassword: 'a' } })
const requestDeletion = () => api.call(requestAccountDeletion, { body: { currentPassword: 'a', notes: 'keep' } })
it.each([
  ['the course list, after an upload', coursesQuery(''), settle],
  ['new notes of courses, after Follow', newNotesQuery, () => api.call(followCourse, { params: { code: 'CS101' } })],
  ['new notes of courses, after a deletion', newNotesQuery, () => api.call(deleteNote, { params })],
  ['the count above a list, after a deletion', countQuery('mine', inCourse), () => api.call(deleteNote, { params })],
  ['messages of moderators, after a deletion', authorCasesQuery, () => api.call(deleteNote, { params })],
  ['one’s notes by course, after a move', listQuery('mine', grouped), edit],
  ['Continue reading, after a page was turned', continueReadingQuery, position],
  ['the devices, after a new password', sessionsQuery, () => api.call(changePassword, { body: password })],
  ['the pending email, after a new password', emailChangeQuery, () => api.call(changePassword, { body: password })],
  ['the pending email, after its link', emailChangeQuery, () => api.call(confirmEmail, { body: { token: 'a' } })],
  ['the pending email, after other sessions ended', emailChangeQuery, endOthers],
  ['the pending email, after a request to delete the account', emailChangeQuery, requestDeletion],
  ['the devices, after a request to delete the account', sessionsQuery, requestDeletion],
  ['two-factor login, after a code', twoFactorQuery, () => api.call(enableTwoFactor, { body: { code: '1' } })],
  [
    'what waits for moderators, after a decision',
    queueQuery,
    () => api.call(decideOnNote, { params, body: { kind: 'keep', rule: 'other', reason: 'a' } }),
  ],
])('asks again where it is on display, even if the answer to the write is lost: %s', async (_, query, write) => {
  queryClient.setQueryData(query.queryKey as QueryKey, { pages: [], pageParams: [] })
  const leave = new QueryObserver(queryClient, { ...(query as object), queryKey: query.queryKey }).subscribe(() => {})
  const written = write().catch((failure) => failure)
  await expect.poll(open).toHaveLength(1)
  asked.pop()?.lose()
  expect(await written).toMatchObject({ status: 0 })
  await expect.poll(open).toHaveLength(1)
  leave()
})

it('a response that is older than a write is dropped, and none is requested during a write', async () => {
  const liked = listQuery('liked', emptySearch)
  const prepared = preloadPages(liked)
  await expect.poll(open).toEqual(['/users/me/notes/liked'])
  const first = rate()
  await expect.poll(open).toEqual([`/notes/${a}/rating`])
  const second = rate()
  await answer(`/notes/${a}/rating`, rated)
  await first
  await expect.poll(open).toEqual([`/notes/${a}/rating`])
  await answer(`/notes/${a}/rating`, rated)
  await second
  await answer('/users/me/notes/liked', listed(b, a))
  await prepared
  expect(queryClient.getQueryData(liked.queryKey)?.pages[0]?.noteIds).toEqual([b, a])
  expect(open()).toEqual([])
})

it('a note put away while the list is on its way does not come back', async () => {
  const fetched = queryClient.fetchQuery(continueReadingQuery)
  await expect.poll(open).toEqual(['/users/me/reading'])
  const dismissed = api.call(dismissNoteInProgress, { params })
  await expect.poll(open).toEqual([`/users/me/reading/${a}`])
  await answer(`/users/me/reading/${a}`, null)
  await dismissed
  await answer('/users/me/reading', { reading: [{ page: 2, note: testNote(b) }] })
  expect(await fetched).toEqual([{ noteId: b, page: 2 }])
})

it('neither one more page nor a note taken out makes an outdated list current', async () => {
  const liked = listQuery('liked', emptySearch)
  const prepared = preloadPages(liked)
  await answer('/users/me/notes/liked', listed(a))
  await prepared
  const list = new InfiniteQueryObserver(queryClient, liked)
  const leave = list.subscribe(() => {})
  const isOutdated = () => queryClient.getQueryState(liked.queryKey)?.isInvalidated
  const write = rate()
  await answer(`/notes/${a}/rating`, rated)
  await write
  expect(isOutdated()).toBe(true)
  const more = list.fetchNextPage()
  await answer('/users/me/notes/liked', listed(b))
  await more
  expect(isOutdated()).toBe(true)
  removeFromLists(b)
  expect(queryClient.getQueryData(liked.queryKey)?.pages[1]?.noteIds).toEqual([])
  expect(isOutdated()).toBe(true)
  // The list stays unchanged until its next visit.
  expect(open()).toEqual([])
  leave()
})

it('a list that a write outdates between its loader and its display keeps its pages', async () => {
  const liked = listQuery('liked', emptySearch)
  const next = { cursorId: a, cursorValue: '1' }
  const pages = [
    { noteIds: [a], next },
    { noteIds: [b], next: null },
  ]
  queryClient.setQueryData(liked.queryKey, { pages, pageParams: [null, next] })
  const write = rate()
  await answer(`/notes/${a}/rating`, rated)
  await write
  const leave = new InfiniteQueryObserver(queryClient, liked).subscribe(() => {})
  await answer('/users/me/notes/liked', listed(a))
  await answer('/users/me/notes/liked', { ...listed(b), hasMore: false })
  await expect.poll(() => queryClient.getQueryState(liked.queryKey)?.isInvalidated).toBe(false)
  expect(queryClient.getQueryData(liked.queryKey)?.pages).toHaveLength(2)
  leave()
})

it('several changes one after another ask a list again once', async () => {
  const mine = listQuery('mine', grouped)
  queryClient.setQueryData(mine.queryKey, { pages: [{ noteIds: [a], next: null }], pageParams: [null] })
  const leave = new InfiniteQueryObserver(queryClient, mine).subscribe(() => {})
  const changes = edit().then(edit).then(edit)
  for (const _ of [1, 2, 3]) await answer(`/users/me/notes/${a}/details`, testNote(a))
  await changes
  await answer('/users/me/notes', listed(a))
  await expect.poll(() => queryClient.getQueryState(mine.queryKey)?.isInvalidated).toBe(false)
  expect(open()).toEqual([])
  leave()
})
