import { expect, it } from 'vitest'
import { describeProblems } from './describe-problems.ts'

it('lists what is missing and why, and a common reason once', () => {
  expect(describeProblems([{ what: 'no_text' }, { what: 'picture', reason: 'timeout' }])).toEqual([
    'No searchable text',
    'No preview: timed out',
  ])
  expect(
    describeProblems([
      { what: 'text', reason: 'locked' },
      { what: 'picture', reason: 'locked' },
    ]),
  ).toEqual(['Couldn’t extract the text', 'No preview: password-protected'])
})

it.each([
  [[2], 'page 2'],
  [[2, 501, 502, 503], 'pages 2, 501–503'],
  [Array.from({ length: 40 }, (_, at) => 2 * at + 1), '40 pages'],
])('lists the pages with missing words: %j', (pages, named) => {
  expect(describeProblems([{ what: 'words', pages }])).toEqual([`Couldn’t recognise the text on ${named}`])
})
