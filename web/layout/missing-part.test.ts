import { expect, test } from 'vitest'
import { mayReload } from './missing-part.ts'

test('a page is loaded anew once, not again and again', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const start = Date.parse('2026-11-21T09:00:00Z')
  expect(mayReload(storage, start)).toBe(true)
  expect(mayReload(storage, start + 2_000)).toBe(false)
  expect(mayReload(storage, start + 60_000)).toBe(true)
})
