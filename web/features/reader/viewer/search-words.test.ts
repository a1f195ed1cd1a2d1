import { expect, it } from 'vitest'
import { findDensestMatch, parseSearch, readHits, spellingsOf } from './search-words.ts'

it.each([
  ['needle', ['needle']],
  ['linear map', ['linear', 'map']],
  ['"linear map" kernel', ['linear map', 'kernel']],
  ['“linear map” «kernel of»', ['linear map', 'kernel of']],
  ['"not closed', ['not closed']],
  ['map map', ['map']],
  // A word of one or two letters would match all over the page.
  ['the C of it', ['the']],
  ['C++ x', ['C++']],
  ['C', ['C']],
  ['機械学習 入門 の', ['機械学習', '入門']],
  ['  ', []],
  ['""', []],
])('the search %j marks %j', (text, parts) => expect(parseSearch(text).map(({ typed }) => typed)).toEqual(parts))

/** Matches as pdf.js does: anywhere, the longest first. */
function hitsOf(search: string, text: string) {
  const words = parseSearch(search)
  const asked = words.flatMap(({ typed, forms }) => [typed, ...forms]).flatMap(spellingsOf)
  const all = asked.sort((one, other) => other.length - one.length)
  const found = [...text.matchAll(new RegExp(all.join('|'), 'gi'))].map((match) => ({
    index: match.index,
    length: match[0].length,
  }))
  return readHits(found, text, words)
}

it.each([
  ['petrova trees', 'Petrova: a tree, and trees.', ['Petrova', 'tree', 'trees']],
  ['tree', 'Trees, a street', ['Trees', 'tree']],
  ['trees', 'Down the street, tree by tree-top; treetops', ['tree', 'tree']],
  ['theories', 'A theory, theories', ['theory', 'theories']],
  ['strasse', 'Die Straße', ['Straße']],
  ['Straße coeur', 'Strasse, cœur', ['Strasse', 'cœur']],
  ['soren', 'Søren', ['Søren']],
  ['"law of numbers" numbers', 'The law\u0301 of, numbers; numbers', ['law\u0301 of, numbers', 'numbers']],
  // Quoted text is highlighted literally.
  ['"trees"', 'A tree, trees', ['trees']],
])('the search %j marks in %j %j', (search, text, marked) => {
  expect(hitsOf(search, text).map(({ index, length }) => text.slice(index, index + length))).toEqual(marked)
})

it.each([
  ['symmetric groups', 'Groups, chapter 3. Rings. The groups that are symmetric. Symmetric groups', 3],
  ['symmetric groups', 'Groups. What is a symmetric map? Groups, symmetric', 2],
  ['symmetric groups kernel', 'Groups. Symmetric groups.', 1],
  ['groups', 'Groups, groups', 0],
  ['kernel', 'Groups', 0],
])('of the search %j in %j the hit %i is the first to be seen', (search, text, best) => {
  expect(findDensestMatch(hitsOf(search, text))).toBe(best)
})

it('finds the place in a page full of hits', () => {
  const text = `${'map '.repeat(200_000)}map minus map`
  expect(findDensestMatch(hitsOf('map minus', text))).toBe(200_000)
})
