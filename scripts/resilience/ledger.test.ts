import { expect, it } from 'vitest'
import { fileKey, Ledger, none, noteKey, ratingKey, rewritten, type Snapshot } from './ledger.ts'

const email = 'ada@uni.example'
const [before, after] = ['MAT137|2025–26|-|by name', 'PHY100|2025–26|-|by name']
const rating = ratingKey('week1', email)
const acknowledged = { [noteKey('week1')]: before, [fileKey('week1')]: 'aa', [rating]: 'like' }

function createLedger(): Ledger {
  const ledger = new Ledger()
  for (const [key, value] of Object.entries(acknowledged)) ledger.change(key, value)('acknowledged')
  return ledger
}

/** Creates a snapshot of the acknowledged values with some changes; null removes a key. */
function createSnapshot(changes: Record<string, string | null> = {}): Snapshot {
  const entries = Object.entries({ ...acknowledged, ...changes })
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}

const compare = (ledger: Ledger, snapshot: Snapshot) => ledger.compare(ledger.takeVersions(), snapshot)
const countProblems = (ledger: Ledger, changes: Record<string, string | null>) =>
  compare(ledger, createSnapshot(changes)).length

it.each<[what: string, changes: Record<string, string | null>, lost: number]>([
  ['nothing if all is as acknowledged', {}, 0],
  ['a lost edit', { [noteKey('week1')]: after }, 1],
  ['a wrong file', { [fileKey('week1')]: 'bb' }, 1],
  ['a lost rating', { [rating]: null }, 1],
  ['another rating', { [rating]: 'dislike' }, 1],
  ['a lost note', { [noteKey('week1')]: null, [fileKey('week1')]: null, [rating]: null }, 1],
  ['a note that was never uploaded', { [noteKey('week2')]: before }, 1],
])('finds %s', (_what, changes, lost) => expect(countProblems(createLedger(), changes)).toBe(lost))

it('accepts both values without an answer, and then only the one that was found', () => {
  for (const [first, second] of [
    [before, after],
    [after, before],
  ]) {
    const ledger = createLedger()
    ledger.change(noteKey('week1'), after)('unanswered')
    expect(countProblems(ledger, { [noteKey('week1')]: first ?? null })).toBe(0)
    expect(countProblems(ledger, { [noteKey('week1')]: second ?? null })).toBe(1)
  }
})

it('expects the value before a refused change, and the first hash of a rewritten file', () => {
  const ledger = createLedger()
  ledger.change(noteKey('week1'), none)('refused')
  ledger.change(fileKey('week1'), rewritten)('acknowledged')
  expect(countProblems(ledger, { [fileKey('week1')]: 'cc' })).toBe(0)
  expect(countProblems(ledger, { [fileKey('week1')]: 'dd' })).toBe(1)
  expect(countProblems(ledger, { [fileKey('week1')]: 'dd', [noteKey('week1')]: after })).toBe(1)
})

it('leaves out what changes during the comparison', () => {
  const ledger = createLedger()
  const versions = ledger.takeVersions()
  const settle = ledger.change(rating, none)
  expect(ledger.compare(versions, createSnapshot({ [rating]: null }))).toEqual([])
  settle('refused')
  expect(countProblems(ledger, { [rating]: null })).toBe(1)
})

it.each([
  [['one'], 1],
  [['one', 'two'], 0],
  [[], 0],
])('of an upload of two files without an answer, %j is inconsistent: %i', (kept, count) => {
  const ledger = createLedger()
  ledger.uploads.push(['one', 'two'])
  for (const title of ['one', 'two']) ledger.change(noteKey(title), before)('unanswered')
  const changes = Object.fromEntries(kept.map((title) => [noteKey(title), before]))
  expect(countProblems(ledger, changes)).toBe(count)
})
