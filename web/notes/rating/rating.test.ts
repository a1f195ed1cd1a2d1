import { describe, expect, it } from 'vitest'
import type { Note } from '../../../contract/notes.ts'
import { ratingChange } from '../../../contract/ratings.ts'
import { type Opinion, opinionOf, pressRating, recount, withOpinion, withOpinionRestored } from './rating.ts'

const note: Note = {
  _id: 'n1',
  title: 'Limits',
  courseCode: 'MAT137',
  academicYear: '2026–27',
  isAnonymous: false,
  user: null,
  createdAt: '2026-11-21T09:30:00.123Z',
  likes: 3,
  dislikes: 2,
}

describe('pressing a rating button', () => {
  it.each([
    ['none', 'like', 'liked', { likes: '+' }, 'Failed to like note. Please try again later.'],
    ['disliked', 'like', 'liked', { likes: '+', dislikes: '-' }, 'Failed to like note. Please try again later.'],
    ['liked', 'like', 'none', { likes: '-' }, 'Failed to remove like from note. Please try again later.'],
    ['none', 'dislike', 'disliked', { dislikes: '+' }, 'Failed to dislike note. Please try again later.'],
    ['liked', 'dislike', 'disliked', { likes: '-', dislikes: '+' }, 'Failed to dislike note. Please try again later.'],
    ['disliked', 'dislike', 'none', { dislikes: '-' }, 'Failed to remove dislike from note. Please try again later.'],
  ] as const)('%s, pressed %s: %s', (from, button, to, change, failure) => {
    const step = pressRating(from, button)
    expect(step).toEqual({ from, to, change, failure })
    expect(ratingChange.safeParse(step.change).success).toBe(true)
  })
})

describe('the counts', () => {
  it.each([
    ['none', 'liked', 4, 2],
    ['liked', 'none', 2, 2],
    ['disliked', 'liked', 4, 1],
    ['liked', 'disliked', 2, 3],
    ['none', 'disliked', 3, 3],
    ['disliked', 'none', 3, 1],
  ] as const)('from %s to %s', (from, to, likes, dislikes) => {
    expect(recount(note, from, to)).toMatchObject({ likes, dislikes })
    expect(recount(recount(note, from, to), to, from)).toEqual(note)
  })

  it('never fall below zero, where the list shown is older than the like', () => {
    expect(recount({ likes: 0, dislikes: 0 }, 'liked', 'none')).toEqual({ likes: 0, dislikes: 0 })
  })
})

describe("a student's lists", () => {
  const lists = { likedNotes: ['a'], dislikedNotes: ['n1', 'b'], likedNotesDisplay: [{ ...note, _id: 'a' }] }

  it.each(['liked', 'disliked', 'none'] satisfies Opinion[])('say %s after it was changed to that', (opinion) => {
    expect(opinionOf(withOpinion(lists, note, opinion), 'n1')).toBe(opinion)
  })

  it('hold a note once, a newly liked one first', () => {
    const twice = withOpinion(withOpinion(lists, note, 'liked'), note, 'liked')
    expect(twice.likedNotes).toEqual(['n1', 'a'])
    expect(twice.likedNotesDisplay.map((each) => each._id)).toEqual(['n1', 'a'])
    expect(twice.dislikedNotes).toEqual(['b'])
  })

  it('are not changed in place', () => {
    withOpinion(lists, note, 'liked')
    expect(lists.likedNotes).toEqual(['a'])
  })

  describe('after a change that failed', () => {
    const liked = (...ids: string[]) => ({
      likedNotes: ids,
      dislikedNotes: ['z'],
      likedNotesDisplay: ids.map((id) => ({ ...note, _id: id })),
    })
    const likedIds = (each: typeof lists) => each.likedNotesDisplay.map((shown) => shown._id)

    it.each([
      ['first', ['n1', 'a', 'b']],
      ['in the middle', ['a', 'n1', 'b']],
      ['last', ['a', 'b', 'n1']],
    ])('hold a note where it was: %s', (_, ids) => {
      const before = liked(...ids)
      for (const opinion of ['none', 'disliked'] as const) {
        expect(withOpinionRestored(withOpinion(before, note, opinion), note, before)).toEqual(before)
      }
    })

    it('do not hold a note that was not liked before', () => {
      const before = liked('a', 'b')
      expect(withOpinionRestored(withOpinion(before, note, 'liked'), note, before)).toEqual(before)
    })

    it('keep what happened to other notes meanwhile', () => {
      const before = liked('a', 'n1', 'b', 'c')
      let now = withOpinion(before, note, 'none')
      now = withOpinion(now, { ...note, _id: 'b' }, 'disliked')
      now = withOpinion(now, { ...note, _id: 'x' }, 'liked')
      const restored = withOpinionRestored(now, note, before)
      expect(restored.likedNotes).toEqual(['x', 'a', 'n1', 'c'])
      expect(likedIds(restored)).toEqual(['x', 'a', 'n1', 'c'])
      expect(restored.dislikedNotes).toEqual(['b', 'z'])
    })

    it('leave a liked note out of the notes shown where it was too far back to be among them', () => {
      const before = { ...liked('a', 'n1'), likedNotesDisplay: [{ ...note, _id: 'a' }] }
      const restored = withOpinionRestored(withOpinion(before, note, 'none'), note, before)
      expect(restored.likedNotes).toEqual(['a', 'n1'])
      expect(likedIds(restored)).toEqual(['a'])
    })
  })
})
