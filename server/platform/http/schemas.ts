import compileJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'

/** The schema of a file's bytes in API descriptions. */
export const binary = z.string().meta({ format: 'binary' })

/** Returns the error responses by status, for a route's `schema.response`. */
export function refusals(codes: readonly ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = Map.groupBy(codes, (code) => errors[code].status)
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, errorBody(some)]))
}

const errorBody = (codes: ErrorCode[]) =>
  z
    .object({ message: z.string(), code: z.enum(codes), fields: z.record(z.string(), z.string()).optional() })
    .describe(codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'))

/**
 * Fastify's own serialiser writes responses from the JSON schemas of the contract: a field that is not in the schema is
 * never sent, and a missing one is an error. Zod's serialiser takes a third of the time of a list.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) =>
  compileJson(z.toJSONSchema(schema, { target: 'draft-7', override: joinNull }) as compileJson.Schema)

/** Merges nullable types, because `anyOf` makes the serialiser validate each value to find its schema. */
export function joinNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [of, none, ...others] = jsonSchema.anyOf ?? []
  if (of?.type === undefined || none?.type !== 'null' || others.length > 0) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, of, { type: [of.type, 'null'], ...(of.enum && { enum: [...of.enum, null] }) })
}
