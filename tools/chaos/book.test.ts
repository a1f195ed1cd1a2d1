import { expect, it } from 'vitest'
import { Book, fileKey, noteKey, ratingKey, rewritten, viewedKey, type World } from './book.ts'

const email = 'ada@uni.example'
const details = 'MAT137|2025–26|-|by name'
const nothing = { lost: [], half: [], orphans: [] }

/** A world in which everything is as it was acknowledged below. */
const world = (changes: Partial<World> = {}): World => ({
  notes: new Map([['week1', { details, sha256: 'aa' }]]),
  ratings: new Map([[ratingKey('week1', email), 'like']]),
  viewed: new Map([[email, ['week1']]]),
  accounts: new Map(),
  half: [],
  orphans: [],
  ...changes,
})

function acknowledgedBook(): Book {
  const book = new Book()
  book.change(fileKey('week1'), 'aa').acknowledged()
  book.change(noteKey('week1'), details).acknowledged()
  book.change(ratingKey('week1', email), 'like', 'none').acknowledged()
  book.change(viewedKey(email), 'week1', '').acknowledged()
  return book
}

/** @returns what is found when all of it is compared. */
const compare = (book: Book, seen: World) => book.compare(book.all(), seen)

it('finds nothing where everything is as it was acknowledged', () => {
  expect(compare(acknowledgedBook(), world())).toEqual(nothing)
})

it.each<[what: string, seen: Partial<World>]>([
  ['a note that is gone', { notes: new Map() }],
  ['an edit that is gone', { notes: new Map([['week1', { details: 'PHY100|2025–26|-|by name', sha256: 'aa' }]]) }],
  ['a file that is another one', { notes: new Map([['week1', { details, sha256: 'bb' }]]) }],
  ['a rating that is gone', { ratings: new Map() }],
  ['a rating that is another one', { ratings: new Map([[ratingKey('week1', email), 'dislike']]) }],
  ['a list of viewed notes that is gone', { viewed: new Map() }],
])('finds %s, once', (_what, seen) => {
  const book = acknowledgedBook()
  expect(compare(book, world(seen)).lost).toHaveLength(1)
  expect(compare(book, world(seen))).toEqual(nothing)
})

it('finds a note that nobody has shared, and one that was deleted', () => {
  const book = acknowledgedBook()
  const both = new Map([...world().notes, ['week2', { details, sha256: 'cc' }]])
  expect(compare(book, world({ notes: both })).lost).toEqual(['note week2: nobody has shared it'])
  book.change(noteKey('week1'), 'gone').acknowledged()
  expect(compare(book, world()).lost).toHaveLength(1)
})

it('passes on what the world says of halves and orphans', () => {
  const seen = world({ half: ['a document without a note'], orphans: ['ab12'] })
  expect(compare(acknowledgedBook(), seen)).toEqual({ ...nothing, half: seen.half, orphans: seen.orphans })
})

it('finds an upload of which only some is there, and takes all or none of it', () => {
  const upload = (titles: string[]) => {
    const book = acknowledgedBook()
    book.upload(['one', 'two'])
    for (const title of ['one', 'two']) book.change(noteKey(title), details).unanswered()
    const notes = new Map([...world().notes, ...titles.map((title) => [title, { details, sha256: 'cc' }] as const)])
    return compare(book, world({ notes }))
  }
  expect(upload([])).toEqual(nothing)
  expect(upload(['one', 'two'])).toEqual(nothing)
  expect(upload(['one']).half).toHaveLength(1)
})

it('takes both for right where nobody answered, and from then on what was seen', () => {
  const edited = 'PHY100|2025–26|-|by name'
  const asSeen = (text: string) => world({ notes: new Map([['week1', { details: text, sha256: 'aa' }]]) })
  for (const [first, second] of [
    [details, edited],
    [edited, details],
  ] as const) {
    const book = acknowledgedBook()
    book.change(noteKey('week1'), edited).unanswered()
    expect(compare(book, asSeen(first))).toEqual(nothing)
    expect(compare(book, asSeen(second)).lost).toHaveLength(1)
  }
})

it('takes nothing else for right where nobody answered', () => {
  const book = acknowledgedBook()
  book.change(noteKey('week1'), 'PHY100|2025–26|-|by name').unanswered()
  expect(compare(book, world({ notes: new Map() })).lost).toHaveLength(1)
})

it('expects what was before of a change that was refused', () => {
  const book = acknowledgedBook()
  book.change(noteKey('week1'), 'gone').refused()
  expect(compare(book, world())).toEqual(nothing)
  expect(compare(book, world({ notes: new Map() })).lost).toHaveLength(1)
})

it('leaves what changes during a comparison for the next one', () => {
  const book = acknowledgedBook()
  const asked = book.touched()
  const removing = book.change(noteKey('week1'), 'gone')
  expect(book.compare(asked, world({ notes: new Map() }))).toEqual(nothing)
  removing.refused()
  expect(book.compare(book.touched(), world({ notes: new Map() })).lost).toHaveLength(1)
})

it('does not ask again for what was not touched, and all of it when told to', () => {
  const book = acknowledgedBook()
  expect(book.compare(book.touched(), world())).toEqual(nothing)
  expect(book.compare(book.touched(), world({ ratings: new Map() }))).toEqual(nothing)
  expect(compare(book, world({ ratings: new Map() })).lost).toHaveLength(1)
})

it('holds a file that Lectern has rewritten to what was seen of it first', () => {
  const book = acknowledgedBook()
  book.change(fileKey('week1'), rewritten).acknowledged()
  const asSeen = (sha256: string) => world({ notes: new Map([['week1', { details, sha256 }]]) })
  expect(compare(book, asSeen('dd'))).toEqual(nothing)
  expect(compare(book, asSeen('dd'))).toEqual(nothing)
  expect(compare(book, asSeen('ee')).lost).toHaveLength(1)
})
