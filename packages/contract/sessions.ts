import * as z from 'zod/mini'
import { user } from './profile.ts'

/** The logged-in user, for the pages. */
export const userResponse = z.object({ user })
export const loginResponse = z.object({ accessToken: z.string(), user })
export const refreshResponse = z.object({ accessToken: z.string() })
/** With `ifAny`, a call without a session cookie gets 204 instead of an error; pages use it at their start. */
export const refreshQuery = z.object({ ifAny: z.optional(z.enum(['true'])) })
