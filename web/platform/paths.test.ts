import { expect, test } from 'vitest'
import * as paths from './paths.ts'

test('a login keeps the page that required it, unless that is the home page', () => {
  expect(paths.login('/browse?title=linear algebra')).toBe('/login?next=%2Fbrowse%3Ftitle%3Dlinear%20algebra')
  expect(paths.login('/')).toBe('/login')
  expect(paths.login()).toBe('/login')
})

test('a list takes a search with and without its question mark', () => {
  expect(paths.browse('?title=a')).toBe('/browse?title=a')
  expect(paths.browse('title=a')).toBe('/browse?title=a')
  expect(paths.browse('')).toBe('/browse')
})

test('the reader opens at a page, with what is to be marked there', () => {
  expect(paths.note('a1')).toBe('/notes/a1')
  expect(paths.note('a1', { page: 4, find: 'red trees' })).toBe('/notes/a1?page=4&find=red+trees')
  expect(paths.note('a1', { page: 4, quote: 'f(x) & <b>' })).toBe('/notes/a1?page=4&quote=f%28x%29+%26+%3Cb%3E')
})

const safeNext = (next: string | null) => paths.safeNext(next, 'https://notes.example.org')

test('safeNext leads back to a page of this site', () =>
  expect(safeNext('/browse?title=a#top')).toBe('/browse?title=a#top'))

test.each([
  null,
  '',
  'https://evil.example/',
  '//evil.example/',
  '//',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/x/..//evil.example/',
  'javascript:alert(1)',
  'browse',
  '/login?next=/browse',
])('safeNext leads home instead of to %j', (next) => expect(safeNext(next)).toBe('/'))
