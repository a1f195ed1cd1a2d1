import compileJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'

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

/**
 * Responses are written by Fastify's own serialiser, from the JSON schema of the contract's: a field that a schema does not
 * name is never sent, and one that is missing is an error. Zod's serialiser takes a third of a list's time.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) =>
  compileJson(z.toJSONSchema(schema, { target: 'draft-7', override: joinNull }) as compileJson.Schema)

/** `anyOf` makes the serialiser validate each value to find out which of the schemas it has. */
export function joinNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [of, none, ...others] = jsonSchema.anyOf ?? []
  if (of?.type === undefined || none?.type !== 'null' || others.length > 0) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, of, { type: [of.type, 'null'], ...(of.enum && { enum: [...of.enum, null] }) })
}
