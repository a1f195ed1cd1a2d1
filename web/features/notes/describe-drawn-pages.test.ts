import { expect, it } from 'vitest'
import { describeDrawnPages } from './describe-drawn-pages.ts'

const say = (drawnPages: number[] | undefined, pageCount: number) =>
  describeDrawnPages({ bytes: 1, pageCount, thumbnail: null, isProcessing: false, drawnPages })

it('says which pages became pictures', () => {
  const end = 'so that nothing in the file names you'
  expect(say([3], 9)).toBe(`Page 3 became a picture ${end}`)
  expect(say([3, 7], 9)).toBe(`Pages 3 and 7 became pictures ${end}`)
  expect(say([1, 3, 7], 9)).toBe(`Pages 1, 3 and 7 became pictures ${end}`)
  expect(say([1, 2], 2)).toBe(`All pages became pictures ${end}`)
  expect(
    say(
      Array.from({ length: 40 }, (_, at) => at + 1),
      90,
    ),
  ).toBe(`40 pages became pictures ${end}`)
  expect(say(undefined, 2)).toBeNull()
  const dropped = { bytes: 1, pageCount: 2, thumbnail: null, isProcessing: false, droppedLinks: 3 }
  expect(describeDrawnPages(dropped)).toBe('3 links or form values with your name left out')
})
