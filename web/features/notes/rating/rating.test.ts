import { expect, it } from 'vitest'
import { adjustCounts, withOpinion } from './rating.ts'

it('counts never fall below zero, where the list shown is older than the like', () => {
  expect(adjustCounts({ likes: 0, dislikes: 0 }, 'liked', 'none')).toEqual({ likes: 0, dislikes: 0 })
})

const lists = { likedNotes: ['a'], dislikedNotes: ['n1', 'b'], likedNotesDisplay: ['a'] }

it('a student’s lists hold a note once, a newly liked one first', () => {
  const twice = withOpinion(withOpinion(lists, 'n1', 'liked'), 'n1', 'liked')
  expect(twice.likedNotes).toEqual(['n1', 'a'])
  expect(twice.likedNotesDisplay).toEqual(['n1', 'a'])
  expect(twice.dislikedNotes).toEqual(['b'])
})
