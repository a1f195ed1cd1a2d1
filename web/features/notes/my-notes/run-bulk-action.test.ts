import { afterEach, expect, it, vi } from 'vitest'
import { type Note, noteChange } from '../../../../packages/contract/notes.ts'
import { ApiError } from '../../../platform/api/client.ts'
import { testNote } from '../../../test/test-note.ts'
import { type BulkItemStatus, editOne, runBulkAction } from './run-bulk-action.ts'

afterEach(() => vi.unstubAllGlobals())

it('Stop takes effect while the server asks to wait', async () => {
  const stopping = new AbortController()
  const fates = new Map<string, BulkItemStatus>()
  const tried: string[] = []
  const body = { message: 'Too many attempts.', code: 'rate_limited' }
  const changed = runBulkAction(
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

it('a cleared instructor arrives, over another edit of something else, and over one of the instructor when tried again', async () => {
  const id = crypto.randomUUID()
  const version = (version: string, change: Partial<Note>) => testNote(id, { ...change, version })
  let saved = version('2', { instructor: 'Dr. Vega', courseCode: 'CS102' })
  const asked: string[] = []
  vi.stubGlobal(
    'fetch',
    async (_url: string, { method, body, headers }: RequestInit & { headers: { 'if-match'?: string } }) => {
      const ifMatch = headers['if-match']
      asked.push(`${method} ${ifMatch ?? ''} ${body ?? ''}`)
      if (method !== 'GET' && ifMatch !== undefined && ifMatch !== `"${saved.version}"`)
        return Response.json({ code: 'outdated' }, { status: 412 })
      return Response.json(saved)
    },
  )
  const clearing = noteChange.parse({ instructor: ' ' })
  const clear = editOne(clearing, [version('1', { instructor: 'Dr. Vega' })])
  await clear(id)
  expect(asked).toEqual(['PATCH "1" {"instructor":null}', 'GET  ', 'PATCH "2" {"instructor":null}'])

  saved = version('3', { instructor: 'Dr. Noor' })
  const message = 'Changed to “Dr. Noor” in the meantime. Try again to replace it.'
  await expect(clear(id)).rejects.toMatchObject({ code: 'outdated', message, fields: { instructor: message } })
  await clear(id)
  expect(asked.at(-1)).toBe('PATCH  {"instructor":null}')
})
