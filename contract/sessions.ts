import * as z from 'zod/mini'
import { user } from './profile.ts'

export const loginAnswer = z.object({ accessToken: z.string(), user })
export const refreshAnswer = z.object({ accessToken: z.string() })
