import { afterEach, expect, it } from 'vitest'
import type { Note } from '../../../../packages/contract/notes.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { session } from '../../../platform/session/store.ts'
import { testNote, testUser } from '../../../test/test-note.ts'
import { emptySearch } from '../../search/search-params.ts'
import type { ListData } from './list-pages.ts'
import { changeNote, currentMoment, findNote, keepNotes, listKey } from './note-cache.ts'
import { changeOwnLists, ensureOwnLists, findOwnLists, removeNote } from './own-lists.ts'

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
  expect(keepNotes([testNote('a'), testNote('b')], currentMoment())).toEqual(['a', 'b'])
  keepNotes([testNote('a', { likes: 3 })], currentMoment())
  expect(likesOf('a')).toBe(3)
})

it('an answer that was asked for before a change does not undo it, and keeps what else it tells', () => {
  keepNotes([testNote('a')], currentMoment())
  const before = currentMoment()
  changeNote('a', { likes: 1 })
  keepNotes([testNote('a', { likes: 0, title: 'New' })], before)
  expect(findNote('a')).toMatchObject({ likes: 1, title: 'New' })
  keepNotes([testNote('a', { likes: 7 })], currentMoment())
  expect(findNote('a')).toMatchObject({ likes: 7 })
})

it('a note that is gone leaves every list, which looks no newer for it', async () => {
  const key = listKey('all', emptySearch)
  const data: ListData = { pages: [{ noteIds: ['a', 'b'], next: null }], pageParams: [null] }
  queryClient.setQueryData(key, data, { updatedAt: 1 })
  session.setUser(ada)
  await ensureOwnLists()
  removeNote('b')
  expect(queryClient.getQueryData<ListData>(key)?.pages[0]?.noteIds).toEqual(['a'])
  expect(queryClient.getQueryState(key)?.dataUpdatedAt).toBe(1)
  expect(findOwnLists()).toMatchObject({ recentlyViewedNotes: ['c'], likedNotesDisplay: [] })
})

it('a student’s lists come with the answer that said who one is, and are replaced as they change', async () => {
  session.setUser(ada)
  await ensureOwnLists()
  const lists = {
    userId: 'ada',
    likedNotes: ['a', 'b'],
    dislikedNotes: ['c'],
    recentlyViewedNotes: ['b', 'c'],
    likedNotesDisplay: ['b'],
  }
  expect(findOwnLists()).toEqual(lists)
  const change = { recentlyViewedNotes: ['a'], likedNotes: ['c'], dislikedNotes: [], likedNotesDisplay: ['c'] }
  changeOwnLists(change)
  expect(findOwnLists()).toEqual({ userId: 'ada', ...change })
})
