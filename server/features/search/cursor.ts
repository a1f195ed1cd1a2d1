import { z } from 'zod'
import { id, timestamp } from '../../../packages/contract/fields.ts'
import { fail } from '../../platform/http/api-error.ts'
import type { Scored } from './ranking.ts'

/** The last note that was shown, with the sort values of every order. */
const cursor = z.object({
  id,
  createdAt: timestamp,
  likes: z.int32(),
  score: z.number(),
  isPartial: z.boolean(),
})
export type Cursor = z.infer<typeof cursor>

export function writeCursor({ id, createdAt, likes, score, missing }: Scored): string {
  const last: Cursor = { id, createdAt: createdAt.toISOString(), likes, score, isPartial: missing.length > 0 }
  return Buffer.from(JSON.stringify(last)).toString('base64url')
}

/** @throws invalid_input for a cursor that no response contained. */
export function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    fail('invalid_input', { fields: { cursor: 'This is no place to go on from.' } })
  }
}
