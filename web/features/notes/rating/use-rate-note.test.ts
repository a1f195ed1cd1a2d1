import { MutationObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { RatingResponse } from '../../../../packages/contract/ratings.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { session } from '../../../platform/session/store.ts'
import { testNote, testUser } from '../../../test/test-note.ts'
import { currentMoment, upsertNotes } from '../cache/note-cache.ts'
import { ensureUserLists, getUserLists, userListsQuery } from '../cache/user-lists.ts'
import { adjustCounts, getRating, type RatingButton, withOpinion } from './rating.ts'
import { pressOf, ratingMutation, sendWaitingRatings } from './use-rate-note.ts'

const [a, b] = ['0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a01', '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a02']
/** A fake server that answers a rating when the test resolves it, and records the requests in order. */
function holdAnswers() {
  const asked: string[] = []
  const kept: unknown[] = []
  const answers: ((answer: { status: number; body: unknown }) => void)[] = []
  vi.stubGlobal('fetch', async (url: string, { keepalive }: RequestInit) => {
    asked.push(url.split('/')[3] ?? '')
    kept.push(keepalive)
    const { status, body } = await new Promise<{ status: number; body: unknown }>((resolve) => answers.push(resolve))
    return new Response(JSON.stringify(body), { status })
  })
  return { asked, kept, answer: (status: number, body: unknown) => answers.shift()?.({ status, body }) }
}

async function signIn(userId: string, ...seen: Note[]) {
  session.setUser(testUser({ _id: userId }))
  await ensureUserLists()
  upsertNotes(seen, currentMoment())
}

function press(noteId: string, button: RatingButton) {
  const note = noteOf(noteId)
  const pressed = note && pressOf(note, button)
  if (!pressed) throw new Error('nothing to press')
  return new MutationObserver(queryClient, ratingMutation).mutate(pressed).catch(() => {})
}

const noteOf = (noteId: string) => queryClient.getQueryData<Note>(['note', noteId])
const shown = (noteId: string) => {
  const lists = getUserLists()
  return `${noteOf(noteId)?.likes} ${lists && getRating(lists, noteId)}`
}
const liked = (...notes: Note[]): RatingResponse => ({
  likes: 1,
  dislikes: 0,
  user: { likedNotes: notes.map((note) => note._id), dislikedNotes: [], likedNotesDisplay: notes },
})

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  session.clearUser()
})

it('two likes are shown immediately, sent one after the other, and the first response does not undo the second', async () => {
  const server = holdAnswers()
  await signIn('ada', testNote(a), testNote(b))
  const both = [press(a, 'like'), press(b, 'like')]
  await expect.poll(() => [shown(a), shown(b)]).toEqual(['1 liked', '1 liked'])
  await expect.poll(() => server.asked).toEqual([a])
  server.answer(200, liked(testNote(a, { likes: 1 })))
  await expect.poll(() => server.asked).toEqual([a, b])
  expect([shown(a), shown(b)]).toEqual(['1 liked', '1 liked'])
  server.answer(200, { ...liked(testNote(b, { likes: 1 }), testNote(a, { likes: 1 })), likes: 5 })
  await Promise.all(both)
  expect([shown(a), shown(b)]).toEqual(['1 liked', '5 liked'])
  expect(getUserLists()?.likedNotesDisplay).toEqual([b, a])
})

it('presses while a rating is sent are shown and sent after it, and a failure returns to what the server has', async () => {
  const server = holdAnswers()
  await signIn('ada', testNote(a))
  const presses = [press(a, 'like'), press(a, 'dislike'), press(a, 'dislike')]
  const expectAfter = async (nth: number, status: number, expected: string) => {
    await expect.poll(() => server.asked).toHaveLength(nth)
    server.answer(status, { ...liked(testNote(a)), likes: 5 })
    await presses[nth - 1]
    expect(shown(a)).toBe(expected)
  }
  expect(shown(a)).toBe('0 none')
  await expectAfter(1, 200, '4 none')
  await expectAfter(2, 500, '4 none')
  await expectAfter(3, 500, '5 liked')
})

it.each([200, 500])('the answer %i to a student who has left changes nothing for the next one', async (status) => {
  const server = holdAnswers()
  await signIn('ada', testNote(a))
  const pressed = press(a, 'like')
  await expect.poll(() => server.asked).toEqual([a])
  queryClient.clear()
  await signIn('ben', testNote(a, { likes: 7 }))
  server.answer(status, liked(testNote(a, { likes: 1 })))
  await pressed
  expect(shown(a)).toBe('7 none')
})

it('likes given just before a tab is closed reach the server, also one that waits for its turn', async () => {
  const server = holdAnswers()
  await signIn('ada', testNote(a), testNote(b))
  const both = [press(a, 'like'), press(b, 'like')]
  await expect.poll(() => server.asked).toEqual([a])
  sendWaitingRatings()
  await expect.poll(() => server.asked).toEqual([a, b])
  expect(server.kept).toEqual([true, true])
  server.answer(200, liked(testNote(a)))
  await expect.poll(() => server.asked).toEqual([a, b, b])
  for (const _ of ['left', 'open']) server.answer(200, liked(testNote(b), testNote(a)))
  await Promise.all(both)
})

it('lists that arrive late do not overwrite a newer like', async () => {
  const ada = '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a03'
  const server = holdAnswers()
  await signIn(ada, testNote(a))
  const user = { ...testUser({ _id: ada }), recentlyViewedNotes: [testNote(a)] }
  const fetched = queryClient.fetchQuery({ ...userListsQuery, staleTime: 0 })
  await expect.poll(() => server.asked).toHaveLength(1)
  const pressed = press(a, 'like')
  await expect.poll(() => server.asked).toHaveLength(2)
  server.answer(200, { user })
  await fetched
  expect(shown(a)).toBe('1 liked')
  server.answer(200, liked(testNote(a, { likes: 1 })))
  await pressed
  expect(shown(a)).toBe('1 liked')
})

it('counts never fall below zero, where the list shown is older than the like', () =>
  expect(adjustCounts({ likes: 0, dislikes: 0 }, 'liked', 'none')).toEqual({ likes: 0, dislikes: 0 }))

const lists = { likedNotes: ['a'], dislikedNotes: ['n1', 'b'], likedNotesDisplay: ['a'] }

it('a student’s lists hold a note once, a newly liked one first', () => {
  const twice = withOpinion(withOpinion(lists, 'n1', 'liked'), 'n1', 'liked')
  expect(twice.likedNotes).toEqual(['n1', 'a'])
  expect(twice.likedNotesDisplay).toEqual(['n1', 'a'])
  expect(twice.dislikedNotes).toEqual(['b'])
})
