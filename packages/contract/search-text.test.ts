import { expect, it } from 'vitest'
import { asPhrase, readSearchText, removeTerm } from './search-text.ts'

it.each([
  ['Trees', 'Trees'],
  ['CSC148 week 5 Trees and heaps', '"CSC148 week 5 Trees and heaps"'],
  ['The “limit” of a series', '"The  limit  of a series"'],
  [' "Rings" ', 'Rings'],
])('%j is searched as %s, which is one piece', (text, phrase) => {
  expect(asPhrase(text)).toBe(phrase)
  if (phrase.startsWith('"')) expect(readSearchText(phrase)).toHaveLength(1)
})

it.each([
  ['heat pump', ['words heat', 'words pump']],
  ['"heat pump" rods', ['phrase heat pump', 'words rods']],
  ['“heat pump” «rods', ['phrase heat pump', 'phrase rods']],
  ['heat"pump"', ['words heat', 'phrase pump']],
  ['heat -pump -"long rods"', ['words heat', '-words pump', '-phrase long rods']],
  ['heat -course:phy151 -0.76 -by:"Ada"', ['words heat', '-course phy151', 'words -0.76', '-by Ada']],
  ['course:csc369 YEAR:2024-25 by:"Ada Okafor"', ['course csc369', 'year 2024-25', 'by Ada Okafor']],
  ['Course:mat 137 limits', ['course mat 137', 'words limits']],
  ['course:csc 108H1', ['course csc 108H1']],
  [
    'course:phy 3 laws -course:mat 13, 7',
    ['course phy', 'words 3', 'words laws', '-course mat', 'words 13,', 'words 7'],
  ],
  ['course:math 1210 -course:CSC 108 tree', ['course math 1210', '-course CSC 108', 'words tree']],
  ['course:phy 1905 einstein', ['course phy', 'words 1905', 'words einstein']],
  // Unknown operators are ordinary words.
  [
    'title:heat well-known a - b x-1 course: year:- by:"x"',
    [
      'words title:heat',
      'words well-known',
      'words a',
      'words -',
      'words b',
      'words x-1',
      'words course:',
      'words year:-',
      'by x',
    ],
  ],
  ['-', ['words -']],
  ['"" “ ”', []],
])('reads %j', (text, parts) => {
  const read = readSearchText(text).map(({ kind, isExcluded, text }) => `${isExcluded ? '-' : ''}${kind} ${text}`)
  expect(read).toEqual(parts)
})

it('removes a part from a text', () => {
  const text = 'deadlock -database  course:csc369'
  expect(readSearchText(text).map((part) => removeTerm(text, part))).toEqual([
    '-database course:csc369',
    'deadlock course:csc369',
    'deadlock -database',
  ])
  expect(removeTerm('Poisson-Verteilung', { start: 8, end: 18 })).toBe('Poisson')
  expect(removeTerm('teacher:Haddad', { start: 0, end: 7 })).toBe('Haddad')
})
