import * as z from 'zod/mini'
import { count, id, timestamp } from './fields.ts'

/** An author of named notes; anonymous notes are neither shown nor counted. */
export const person = z.object({
  _id: id,
  name: z.string(),
  /** The number of named notes, and when the first of them was uploaded. */
  notes: count,
  since: timestamp,
})
export type Person = z.infer<typeof person>

export const personParams = z.object({ id })
