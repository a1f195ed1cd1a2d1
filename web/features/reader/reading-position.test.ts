import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followPosition } from './use-reading-position.ts'
import { createDocumentStore } from './viewer/document-store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A reader at one page of a note with another saved page. */
function open(savedPage: number, page: number) {
  const sent: number[] = []
  const store = createDocumentStore()
  const { stop } = followPosition(store, savedPage, async (saved) => void sent.push(saved))
  store.setState({ page, opening: { kind: 'ready' } })
  const readFor = async (seconds: number, at?: number) => {
    if (at !== undefined) store.setState({ page: at })
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
  }
  return { sent, stop, readFor }
}

it.each<[what: string, pages: string, expected: number[]]>([
  ['a glance at an earlier page', '20 s on 12', []],
  ['two earlier pages', '10 s on 12, 10 s on 13', []],
  ['leafing through earlier pages', '1 s on 10, 1 s on 11, 1 s on 12, 20 s on 13', []],
  ['earlier pages and the saved one again', '20 s on 12, 20 s on 40, 20 s on 13', []],
  ['half a minute on an earlier page', '31 s on 12', [12]],
  ['half a minute on two of them', '20 s on 12, 20 s on 13', [13]],
  ['three earlier pages', '5 s on 12, 5 s on 13, 5 s on 14', [14]],
  ['a further page', '3 s on 41', [41]],
  ['a further page in a hurry', '1 s on 41', [41]],
])('%s (%s): the saved page 40 makes way for %j', async (_what, pages, expected) => {
  const { sent, stop, readFor } = open(40, 40)
  for (const [, seconds, page] of pages.matchAll(/(\d+) s on (\d+)/g)) await readFor(Number(seconds), Number(page))
  stop()
  expect(sent).toEqual(expected)
})

it('a note that opens at a given page leaves the saved one unchanged, also at its first page', async () => {
  for (const page of [1, 12]) {
    const { sent, stop, readFor } = open(40, page)
    await readFor(10)
    stop()
    await readFor(60)
    expect(sent).toEqual([])
  }
})
