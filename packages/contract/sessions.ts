import * as z from 'zod/mini'
import { user } from './profile.ts'

/** What the pages are told of who is signed in. */
export const userAnswer = z.object({ user })
export const loginAnswer = z.object({ accessToken: z.string(), user })
export const refreshAnswer = z.object({ accessToken: z.string() })
/** How the pages ask at their start, when nobody may be signed in. */
export const refreshQuery = z.object({ ifAny: z.optional(z.enum(['true'])) })
