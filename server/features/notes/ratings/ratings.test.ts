import { expect } from 'vitest'
import type { RatingChange } from '../../../../packages/contract/ratings.ts'
import { asViewer, createNote, createUser, itWithUsers, openTestApp } from '../../../testing/app.ts'
import { expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import { rate } from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { applyChange, type Rating, rateNote } from './ratings.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

async function storedRatings(noteId: string) {
  const note = db.selectFrom('notes').select(['likes', 'dislikes']).where('id', '=', noteId)
  const { likes, dislikes } = await note.executeTakeFirstOrThrow()
  const rows = await db.selectFrom('ratings').select('liked').where('note_id', '=', noteId).execute()
  const likers = rows.filter((row) => row.liked).length
  return { likes, dislikes, likers, dislikers: rows.length - likers }
}

const unrated = { likes: 0, dislikes: 0, likers: 0, dislikers: 0 }

const cases: [Rating, RatingChange, Rating][] = [
  [null, { likes: '+' }, 'like'],
  ['like', { likes: '+' }, 'like'],
  ['dislike', { likes: '+' }, 'like'],
  ['dislike', { likes: '+', dislikes: '-' }, 'like'],
  ['like', { likes: '-' }, null],
  ['dislike', { likes: '-' }, 'dislike'],
  [null, { likes: '-' }, null],
  [null, { dislikes: '+' }, 'dislike'],
  ['like', { dislikes: '+' }, 'dislike'],
  ['like', { dislikes: '+', likes: '-' }, 'dislike'],
  ['dislike', { dislikes: '-' }, null],
  ['like', { dislikes: '-' }, 'like'],
  ['like', { likes: '-', dislikes: '-' }, null],
]
it.each(cases)('%j and %j make %j', (before, change, after) => {
  expect(applyChange(before, change)).toBe(after)
})

it('PATCH /api/notes/{id}/rating likes, removes the like, and returns the user’s own lists', async () => {
  const [owner, reader] = await Promise.all([createUser(test, { name: 'Owner' }), createUser(test)])
  const noteId = await createNote(test, owner)
  expect((await expectStatus(200, rate(test, reader, noteId, { likes: '+' }))).json()).toMatchObject({
    likes: 1,
    dislikes: 0,
    user: { likedNotes: [noteId], dislikedNotes: [], likedNotesDisplay: [{ _id: noteId, likes: 1 }] },
  })
  const undone = await rate(test, reader, noteId, { likes: '-' })
  const user = { likedNotes: [], dislikedNotes: [], likedNotesDisplay: [] }
  expect(undone.json()).toEqual({ likes: 0, dislikes: 0, user })
  expect(await storedRatings(noteId)).toEqual(unrated)
})

it('PATCH /api/notes/{id}/rating moves a dislike over to a like, and back', async ({ owner, reader }) => {
  const noteId = await createNote(test, owner)
  await rate(test, reader, noteId, { dislikes: '+' })
  expect((await rate(test, reader, noteId, { likes: '+' })).json()).toMatchObject({ likes: 1, dislikes: 0 })
  const back = await rate(test, reader, noteId, { dislikes: '+' })
  expect(back.json()).toMatchObject({ likes: 0, dislikes: 1, user: { likedNotes: [], dislikedNotes: [noteId] } })
})

it('PATCH /api/notes/{id}/rating refuses the owner', async ({ owner }) => {
  const noteId = await createNote(test, owner)
  expectRefusal(await rate(test, owner, noteId, { likes: '+' }), 'own_note_rating')
  expect(await storedRatings(noteId)).toEqual(unrated)
})

it('PATCH /api/notes/{id}/rating knows no other note', async ({ reader }) => {
  expectRefusal(await rate(test, reader, crypto.randomUUID(), { likes: '+' }), 'note_not_found')
})

const badRatings = [{}, { likes: '+', dislikes: '+' }, { likes: 1 }, { likes: '++' }, { likes: ['+'] }, []]
it.each(badRatings)('PATCH /api/notes/{id}/rating refuses %j', async (payload) => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const noteId = await createNote(test, owner)
  expect((await expectStatus(400, rate(test, reader, noteId, payload))).json()).toMatchObject({ code: 'invalid_input' })
  expect(await storedRatings(noteId)).toEqual(unrated)
})

it('counts a thousand parallel likes of one user once', async ({ owner, reader }) => {
  const noteId = await createNote(test, owner)
  const answers = await Promise.all(Array.from({ length: 1000 }, () => rate(test, reader, noteId, { likes: '+' })))
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  expect(await storedRatings(noteId)).toEqual({ likes: 1, dislikes: 0, likers: 1, dislikers: 0 })
})

it('counts parallel likes of many users exactly, while others change their mind', async ({ owner }) => {
  const noteId = await createNote(test, owner)
  const readers = await Promise.all(Array.from({ length: 50 }, () => createUser(test)))
  const changes = [{ dislikes: '+' }, { likes: '+' }, { likes: '-' }, { likes: '+' }, { dislikes: '-' }]
  await Promise.all(
    readers.flatMap((reader) => [...changes, ...changes].map((change) => rate(test, reader, noteId, change))),
  )
  const { likes, dislikes, likers, dislikers } = await storedRatings(noteId)
  expect({ likes, dislikes }).toEqual({ likes: likers, dislikes: dislikers })
  const finals = await Promise.all(readers.map((reader) => rate(test, reader, noteId, { likes: '+' })))
  expect(finals.every((answer) => answer.statusCode === 200)).toBe(true)
  expect(await storedRatings(noteId)).toEqual({ likes: 50, dislikes: 0, likers: 50, dislikers: 0 })
})

it('rates two notes crosswise without a deadlock', async ({ owner }) => {
  const [one, two] = await Promise.all([createNote(test, owner), createNote(test, owner)])
  const [ada, ben] = await Promise.all([createUser(test), createUser(test)])
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => [
      rate(test, ada, i % 2 ? one : two, { likes: i % 3 ? '+' : '-' }),
      rate(test, ben, i % 2 ? two : one, { dislikes: i % 3 ? '+' : '-' }),
    ]).flat(),
  )
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  for (const noteId of [one, two]) {
    const { likes, dislikes, likers, dislikers } = await storedRatings(noteId)
    expect({ likes, dislikes }).toEqual({ likes: likers, dislikes: dislikers })
  }
})

it.each<[Rating, RatingChange, RatingChange]>([
  [null, { likes: '+' }, { dislikes: '+' }],
  [null, { likes: '+' }, { likes: '-' }],
  [null, { dislikes: '+' }, { likes: '-' }],
  [null, { dislikes: '+' }, { dislikes: '-' }],
  ['like', { dislikes: '+' }, { likes: '+' }],
  ['like', { likes: '-' }, { likes: '+' }],
  ['dislike', { likes: '+' }, { dislikes: '+' }],
  ['dislike', { likes: '+' }, { likes: '-' }],
])('goes on from %j and %j, which is saved while %j waits', async (before, first, second) => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  const noteId = await createNote(test, owner)
  if (before) await rate(test, reader, noteId, before === 'like' ? { likes: '+' } : { dislikes: '+' })
  const late = await whileLocked(test, {
    hold: (tx) => rateNote(tx, asViewer(reader), noteId, first),
    ask: () => rate(test, reader, noteId, second),
  })
  const wish = applyChange(applyChange(before, first), second)
  const counts = { likes: Number(wish === 'like'), dislikes: Number(wish === 'dislike') }
  expect([late.statusCode, late.json()]).toMatchObject([200, counts])
  expect(await storedRatings(noteId)).toMatchObject({ ...counts, likers: counts.likes, dislikers: counts.dislikes })
})

it('leaves no rating behind when a note is deleted meanwhile', async ({ owner, reader }) => {
  for (let i = 0; i < 20; i++) {
    const noteId = await createNote(test, owner)
    const [rated, deleted] = await Promise.all([
      rate(test, reader, noteId, { likes: '+' }),
      test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${noteId}`, headers: owner.auth }),
    ])
    expect(deleted.statusCode).toBe(204)
    expect([200, 404]).toContain(rated.statusCode)
  }
  const me = await test.app.inject({ url: '/api/users/me', headers: reader.auth })
  expect(me.json().user).toMatchObject({ likedNotes: [], likedNotesDisplay: [] })
})
