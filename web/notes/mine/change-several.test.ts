import { expect, it } from 'vitest'
import { ApiError } from '../../api/client.ts'
import { changeSeveral, type Fate } from './change-several.ts'

it('Stop takes effect while the server asks to wait', async () => {
  const stopping = new AbortController()
  const fates = new Map<string, Fate>()
  const tried: string[] = []
  const body = { message: 'Too many attempts.', code: 'rate_limited' }
  const changed = changeSeveral(
    ['a', 'b'],
    async (noteId) => {
      tried.push(noteId)
      throw new ApiError({ status: 429, body, retryAfterSeconds: 3_600 })
    },
    { onFate: (noteId, fate) => fates.set(noteId, fate), stop: stopping.signal },
  )
  await expect.poll(() => tried).toEqual(['a'])
  stopping.abort()
  await changed
  expect([...fates.values()]).toEqual([{ kind: 'untried' }, { kind: 'untried' }])
})
