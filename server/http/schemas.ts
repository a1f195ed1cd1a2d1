import { z } from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.ts'

/** The refusals of a route by status, for its `schema.response`: `refusals('note_not_found', 'own_note_rating')`. */
export function refusals(...codes: [ErrorCode, ...ErrorCode[]]): Record<number, z.ZodType> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, [first, ...rest]]) => [status, errorBody([first as ErrorCode, ...rest])]),
  )
}

const errorBody = (codes: [ErrorCode, ...ErrorCode[]]) =>
  z
    .object({ message: z.string(), code: z.enum(codes), fields: z.record(z.string(), z.string()).optional() })
    .describe(codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'))
