import { z } from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.ts'

/** A file's bytes, in descriptions. */
export const binary = z.string().meta({ format: 'binary' })

/** Refusals by status, for a route's `schema.response`. */
export function refusals(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, errorBody(some)]))
}

const errorBody = (codes: ErrorCode[]) =>
  z
    .object({ message: z.string(), code: z.enum(codes), fields: z.record(z.string(), z.string()).optional() })
    .describe(codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'))
