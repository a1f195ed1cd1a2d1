import * as z from 'zod/mini'
import { id } from './fields.ts'

/** What everybody who is signed in reads at the top, until they put it away. Plain text. */
export const announcement = z.object({ _id: id, text: z.string() })
export type Announcement = z.infer<typeof announcement>
export const announcementLength = { max: 300 } as const
