import { expect, it, vi } from 'vitest'
import { session } from '../../../platform/session/store.ts'
import { testNote } from '../../../test/test-note.ts'
import { ensureUserLists, getUserLists } from '../cache/user-lists.ts'
import { addToRecentlyViewed, withViewed } from './recently-viewed.ts'

it('puts an opened note at the front, once, before the last ones', () => {
  expect(withViewed(['1', '2'], '3')).toEqual(['3', '1', '2'])
  expect(withViewed(['1', '2', '3'], '3')).toEqual(['3', '1', '2'])
  const full = Array.from({ length: 24 }, (_, at) => String(at))
  const viewed = withViewed(full, '99')
  expect(viewed).toHaveLength(24)
  expect(viewed[0]).toBe('99')
  expect(viewed).not.toContain('23')
})

it('keeps what other tabs have put in front meanwhile', async () => {
  const [other, opened] = ['0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a01', '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a02']
  const account = { _id: crypto.randomUUID(), name: 'Ada', email: 'ada@example.org', likedNotes: [], dislikedNotes: [] }
  const user = (ids: string[]) => ({
    ...account,
    likedNotesDisplay: [],
    recentlyViewedNotes: ids.map((id) => testNote(id)),
    version: ids.join(),
  })
  session.setUser(user([]))
  await ensureUserLists()
  let saved = [other]
  vi.stubGlobal(
    'fetch',
    async (_url: string, { method, headers, body }: RequestInit & { headers: { 'if-match': string } }) => {
      if (method === 'PATCH') {
        if (headers['if-match'] !== `"${saved.join()}"`) return Response.json({ code: 'outdated' }, { status: 412 })
        saved = JSON.parse(String(body)).recentlyViewedNotes
      }
      return Response.json({ user: user(saved) })
    },
  )
  await addToRecentlyViewed(opened)
  expect(saved).toEqual([opened, other])
  expect(getUserLists()).toMatchObject({ recentlyViewedNotes: saved, version: saved.join() })
})
