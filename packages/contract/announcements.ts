import * as z from 'zod/mini'
import { id } from './fields.ts'

/** Plain text that every logged-in user sees at the top of the page until they dismiss it. */
export const announcement = z.object({ _id: id, text: z.string() })
export type Announcement = z.infer<typeof announcement>
export const announcementLength = { max: 300 } as const
