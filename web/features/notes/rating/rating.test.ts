import { describe, expect, it } from 'vitest'
import { adjustCounts, rollbackRating, withOpinion } from './rating.ts'

it('counts never fall below zero, where the list shown is older than the like', () => {
  expect(adjustCounts({ likes: 0, dislikes: 0 }, 'liked', 'none')).toEqual({ likes: 0, dislikes: 0 })
})

describe("a student's lists", () => {
  const lists = { likedNotes: ['a'], dislikedNotes: ['n1', 'b'], likedNotesDisplay: ['a'] }

  it('hold a note once, a newly liked one first', () => {
    const twice = withOpinion(withOpinion(lists, 'n1', 'liked'), 'n1', 'liked')
    expect(twice.likedNotes).toEqual(['n1', 'a'])
    expect(twice.likedNotesDisplay).toEqual(['n1', 'a'])
    expect(twice.dislikedNotes).toEqual(['b'])
  })

  describe('after a change that failed', () => {
    const liked = (...ids: string[]) => ({
      likedNotes: ids,
      dislikedNotes: ['z'],
      likedNotesDisplay: ids,
    })

    it.each([
      ['first', ['n1', 'a', 'b']],
      ['in the middle', ['a', 'n1', 'b']],
      ['last', ['a', 'b', 'n1']],
    ])('hold a note where it was: %s', (_, ids) => {
      const before = liked(...ids)
      for (const opinion of ['none', 'disliked'] as const) {
        expect(rollbackRating(withOpinion(before, 'n1', opinion), 'n1', before)).toEqual(before)
      }
    })

    it('do not hold a note that was not liked before', () => {
      const before = liked('a', 'b')
      expect(rollbackRating(withOpinion(before, 'n1', 'liked'), 'n1', before)).toEqual(before)
    })

    it('keep what happened to other notes meanwhile', () => {
      const before = liked('a', 'n1', 'b', 'c')
      let now = withOpinion(before, 'n1', 'none')
      now = withOpinion(now, 'b', 'disliked')
      now = withOpinion(now, 'x', 'liked')
      const restored = rollbackRating(now, 'n1', before)
      expect(restored.likedNotes).toEqual(['x', 'a', 'n1', 'c'])
      expect(restored.likedNotesDisplay).toEqual(['x', 'a', 'n1', 'c'])
      expect(restored.dislikedNotes).toEqual(['b', 'z'])
    })

    it('leave a liked note out of the notes shown where it was too far back to be among them', () => {
      const before = { ...liked('a', 'n1'), likedNotesDisplay: ['a'] }
      const restored = rollbackRating(withOpinion(before, 'n1', 'none'), 'n1', before)
      expect(restored.likedNotes).toEqual(['a', 'n1'])
      expect(restored.likedNotesDisplay).toEqual(['a'])
    })
  })
})
