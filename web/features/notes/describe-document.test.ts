import { expect, it } from 'vitest'
import { describeDrawnPages, describeProblems } from './describe-document.ts'

it('lists what is missing and why, and a common reason once', () => {
  const missing = describeProblems([{ what: 'no_text' }, { what: 'picture', reason: 'timeout' }])
  expect(missing).toEqual(['No searchable text', 'No preview: timed out'])
  const locked = (['text', 'picture'] as const).map((what) => ({ what, reason: 'locked' as const }))
  expect(describeProblems(locked)).toEqual(['Couldn’t extract the text', 'No preview: password-protected'])
})

it.each([
  [[2], 'page 2'],
  [[2, 501, 502, 503], 'pages 2, 501–503'],
  [Array.from({ length: 40 }, (_, at) => 2 * at + 1), '40 pages'],
])('lists the pages with missing words: %j', (pages, named) => {
  expect(describeProblems([{ what: 'words', pages }])).toEqual([`Couldn’t recognise the text on ${named}`])
})

const say = (drawnPages: number[] | undefined, pageCount: number) =>
  describeDrawnPages({ bytes: 1, pageCount, thumbnail: null, isProcessing: false, drawnPages })

it('lists the pages that were converted to images', () => {
  const end = 'to remove your name'
  expect(say([3], 9)).toBe(`Page 3 was converted to an image ${end}`)
  expect(say([3, 7], 9)).toBe(`Pages 3 and 7 were converted to images ${end}`)
  expect(say([1, 3, 7], 9)).toBe(`Pages 1, 3 and 7 were converted to images ${end}`)
  expect(say([1, 2], 2)).toBe(`All pages were converted to images ${end}`)
  const forty = Array.from({ length: 40 }, (_, at) => at + 1)
  expect(say(forty, 90)).toBe(`40 pages were converted to images ${end}`)
  expect(say(undefined, 2)).toBeNull()
  const dropped = { bytes: 1, pageCount: 2, thumbnail: null, isProcessing: false, droppedLinks: 3 }
  expect(describeDrawnPages(dropped)).toBe('3 links or form values with your name were removed')
})
