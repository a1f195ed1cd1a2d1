import * as z from 'zod/mini'
import { count, id, timestamp } from './fields.ts'

/** Somebody who shares notes by name: what is told of them, and nothing that is anonymous counts. */
export const person = z.object({
  _id: id,
  name: z.string(),
  /** How many notes they share by name, and when the first of those was uploaded. */
  notes: count,
  since: timestamp,
})
export type Person = z.infer<typeof person>

export const personParams = z.object({ id })
