import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../../packages/contract/notes.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { session } from '../../../platform/session/store.ts'
import { testNote, testUser } from '../../../test/test-note.ts'
import { emptySearch } from '../../search/search-params.ts'
import type { ListData } from './list-pages.ts'
import { currentMoment, getCachedNote, keepWritten, listKey, patchCachedNote, upsertNotes } from './note-cache.ts'
import { ensureUserLists, getUserLists, removeNote, updateUserLists } from './user-lists.ts'

const ada = testUser({
  _id: 'ada',
  likedNotes: ['a', 'b'],
  dislikedNotes: ['c'],
  recentlyViewedNotes: [testNote('b'), testNote('c')],
  likedNotesDisplay: [testNote('b')],
})
const likesOf = (noteId: string) => queryClient.getQueryData<Note>(['note', noteId])?.likes

afterEach(() => {
  queryClient.clear()
  session.clearUser()
})

it('a note is held once: its newest copy is everybody’s', () => {
  expect(upsertNotes([testNote('a'), testNote('b')], currentMoment())).toEqual(['a', 'b'])
  upsertNotes([testNote('a', { likes: 3 })], currentMoment())
  expect(likesOf('a')).toBe(3)
})

it('a response requested before a change does not undo it, and keeps its other data', () => {
  upsertNotes([testNote('a')], currentMoment())
  const before = currentMoment()
  patchCachedNote('a', { likes: 1 })
  upsertNotes([testNote('a', { likes: 0, title: 'New' })], before)
  expect(getCachedNote('a')).toMatchObject({ likes: 1, title: 'New' })
  upsertNotes([testNote('a', { likes: 7 })], currentMoment())
  expect(getCachedNote('a')).toMatchObject({ likes: 7 })
  const beforeEdit = currentMoment()
  keepWritten(testNote('a', { title: 'Edited' }))
  upsertNotes([testNote('a', { title: 'New' })], beforeEdit)
  expect(getCachedNote('a')).toMatchObject({ title: 'Edited' })
})

it('a note that is gone leaves every list, which looks no newer for it', async () => {
  const key = listKey('all', emptySearch)
  const data: ListData = { pages: [{ noteIds: ['a', 'b'], next: null }], pageParams: [null] }
  queryClient.setQueryData(key, data, { updatedAt: 1 })
  session.setUser(ada)
  await ensureUserLists()
  removeNote('b')
  expect(queryClient.getQueryData<ListData>(key)?.pages[0]?.noteIds).toEqual(['a'])
  expect(queryClient.getQueryState(key)?.dataUpdatedAt).toBe(1)
  expect(getUserLists()).toMatchObject({ recentlyViewedNotes: ['c'], likedNotesDisplay: [] })
})

it('a student’s lists come with the answer that said who one is, and are replaced as they change', async () => {
  session.setUser(ada)
  await ensureUserLists()
  const { likedNotes, dislikedNotes } = ada
  const shown = { recentlyViewedNotes: ['b', 'c'], likedNotesDisplay: ['b'] }
  expect(getUserLists()).toEqual({ userId: 'ada', likedNotes, dislikedNotes, ...shown })
  const change = { recentlyViewedNotes: ['a'], likedNotes: ['c'], dislikedNotes: [], likedNotesDisplay: ['c'] }
  updateUserLists(change)
  expect(getUserLists()).toEqual({ userId: 'ada', ...change })
})
