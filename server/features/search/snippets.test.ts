import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { QueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import { asViewer, openTestApp } from '../../testing/app.ts'
import { createLibrary, marked } from '../../testing/search-fixtures.ts'
import { createSnippets, searchNotes } from './full-text.ts'
import { indexNotes } from './index-notes.ts'
import { createMatchRegExp, createSnippet } from './snippets.ts'

/** Counts how often it is executed. */
class CountingFinder extends RegExp {
  static count = 0
  override exec(text: string): RegExpExecArray | null {
    CountingFinder.count++
    return super.exec(text)
  }
}

const passageOf = (text: string) => ({ page: 1, text })
const textOf = (text: string, query: string) => {
  const snippet = createSnippet(passageOf(text), createMatchRegExp([[query]], []))
  return marked({ snippets: snippet ? [snippet] : [] })[0]?.[1]
}

it('a passage is searched among the first matches of a page, however many there are', () => {
  const { source, flags } = createMatchRegExp([['+']], [])
  CountingFinder.count = 0
  expect(createSnippet(passageOf('+'.repeat(100_000)), new CountingFinder(source, flags))?.parts).toHaveLength(2)
  expect(CountingFinder.count).toBeGreaterThan(100)
  expect(CountingFinder.count).toBeLessThan(1_000)
})

it('a passage is the one with most matches', () => {
  const rest = ' and so on'.repeat(50)
  expect(textOf(`wave${rest} wave wave${rest} wave wave wave, a wave${rest} wave wave${rest}`, 'wave')).toMatch(
    /\[wave\] \[wave\] \[wave\], a \[wave\]/,
  )
  // Of equal matches the first is shown.
  expect(textOf(`one wave${rest} two wave`, 'wave')).toMatch(/^one \[wave\]/)
})

const viewer = { id: crypto.randomUUID(), role: 'student' } as const
const pages = ['one wave', 'two waves', 'three waves', 'four waves'].map(passageOf)
const finder = createMatchRegExp([['wave', 'waves']], [])

it('passages are no longer cut when the time is up', async () => {
  let asked = 0
  const snippets = await createSnippets(viewer, pages, finder, () => ++asked <= 2)
  expect(snippets.map(({ parts }) => parts[0]?.text)).toEqual(['one ', 'two '])
})

it('passages are each cut in a separate iteration of the event loop, for all users', async () => {
  let round = 0
  let isOver = false
  const countRounds = async () => {
    for (; !isOver; round++) await setImmediate()
  }
  const counting = countRounds()
  const rounds: number[] = []
  const cut = (id: string) => createSnippets({ ...viewer, id }, pages, finder, () => rounds.push(round) > 0)
  await Promise.all(['ada', 'ada', 'ben', 'cid'].map(cut))
  isOver = true
  await counting
  expect(rounds).toHaveLength(16)
  expect(new Set(rounds).size).toBe(16)
})

it('passages are cut when the transaction that found them is over', async () => {
  const test = await openTestApp()
  const { owner } = await createLibrary(test, [{ title: 'Waves', pages: pages.map(({ text }) => text) }])
  await indexNotes(test.deps.db)
  const order: string[] = []
  const query = { text: 'waves', scope: 'all', sortBy: 'relevance' } as const
  const queryWithTimeout: QueryWithTimeout = async (...read) => {
    const found = await test.deps.queryWithTimeout(...read)
    // Waits until everything that was started before must have finished.
    for (let round = 0; round < 100; round++) await setImmediate()
    order.push(JSON.stringify(found).includes('isMatch') ? 'cut inside' : 'read')
    return found
  }
  const page = await searchNotes({ ...test.deps, queryWithTimeout }, asViewer(owner), query)
  expect(order).toEqual(['read'])
  expect(page.hits[0]?.snippets).toHaveLength(3)
})
