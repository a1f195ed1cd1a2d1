import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followPosition } from './use-reading-position.ts'
import { createDocumentStore } from './viewer/document-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A reader at one page of a note with another saved page. */
function open(savedPage: number, page: number) {
  const sent: number[] = []
  const store = createDocumentStore()
  const { stop } = followPosition(store, savedPage, async (told) => void sent.push(told))
  store.setState({ page, opening: { kind: 'ready' } })
  const readFor = async (seconds: number, at?: number) => {
    if (at !== undefined) store.setState({ page: at })
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
  }
  return { sent, stop, readFor }
}

it.each<[string, [seconds: number, page: number][], number[]]>([
  ['a glance at an earlier page', [[20, 12]], []],
  [
    'two earlier pages',
    [
      [10, 12],
      [10, 13],
    ],
    [],
  ],
  [
    'leafing through earlier pages',
    [
      [1, 10],
      [1, 11],
      [1, 12],
      [20, 13],
    ],
    [],
  ],
  [
    'earlier pages and the saved one again',
    [
      [20, 12],
      [20, 40],
      [20, 13],
    ],
    [],
  ],
  ['half a minute on an earlier page', [[31, 12]], [12]],
  [
    'half a minute on two of them',
    [
      [20, 12],
      [20, 13],
    ],
    [13],
  ],
  [
    'three earlier pages',
    [
      [5, 12],
      [5, 13],
      [5, 14],
    ],
    [14],
  ],
  ['a further page', [[3, 41]], [41]],
  ['a further page in a hurry', [[1, 41]], [41]],
])('%s: the saved page 40 makes way for %j', async (_what, pages, expected) => {
  const { sent, stop, readFor } = open(40, 40)
  for (const [seconds, page] of pages) await readFor(seconds, page)
  stop()
  expect(sent).toEqual(expected)
})

it('a note that opens at a page of its own leaves the saved one alone, also at its first page', async () => {
  for (const page of [1, 12]) {
    const { sent, stop, readFor } = open(40, page)
    await readFor(10)
    stop()
    await readFor(60)
    expect(sent).toEqual([])
  }
})
