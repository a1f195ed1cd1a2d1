import { expect, it } from 'vitest'
import { openTestApp } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'

const test = await openTestApp()

it.each(['%00', 'a%00b', '%20', '..%2f..%2fsecret', 'ü', 'a'.repeat(100)])('refuses %s as a key', async (key) => {
  expectRefusal(await test.app.inject(`/api/thumbnails/${key}/small.webp`), 'invalid_input', 'This is no key.')
})

it('returns no preview for an unknown key', async () => {
  const answer = await test.app.inject(`/api/thumbnails/${'a'.repeat(32)}/small.webp`)
  expectRefusal(answer, 'thumbnail_not_found')
  expect(answer.headers['cache-control']).toBe('no-store')
})
