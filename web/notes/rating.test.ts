import { describe, expect, it } from 'vitest'
import type { Note } from '../../contract/notes.ts'
import { ratingChange } from '../../contract/ratings.ts'
import { type Opinion, opinionOf, pressRating, recount, withOpinion } from './rating.ts'

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
})
