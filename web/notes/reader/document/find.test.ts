import { expect, it } from 'vitest'
import { readSearch } from './find.ts'

it.each([
  ['needle', ['needle']],
  ['linear map', ['linear', 'map']],
  ['"linear map" kernel', ['linear map', 'kernel']],
  ['“linear map” «kernel of»', ['linear map', 'kernel of']],
  ['"not closed', ['not closed']],
  ['map map', ['map']],
  // Of a word of one or two letters the rest of the page would be full.
  ['the C of it', ['the']],
  ['C++ x', ['C++']],
  ['C', ['C']],
  ['  ', []],
  ['""', []],
])('the search %j marks %j', (text, parts) => {
  expect(readSearch(text)).toEqual(parts)
})
