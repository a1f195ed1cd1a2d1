import type { FastifySerializerCompiler } from 'fastify'
import { serializerCompiler as byZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { $ZodChecks, $ZodType, $ZodTypes } from 'zod/v4/core'

type Def = $ZodTypes['_zod']['def']
/** What a schema lets through of a value. @throws where the value does not fit. */
type Pick = (value: unknown) => unknown

/**
 * Answers as JSON, by the contract's schemas: a field that a schema does not name never leaves, and what is missing or of
 * another type is an error of ours. Zod compares the form of every id and date as well and takes a third of a list's time for
 * it; here a text has to be a text. Schemas with more to them than names and types are left to zod.
 */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = (route) => {
  const schema = 'properties' in route.schema ? route.schema.properties : route.schema
  const pick = compile(schema as $ZodType)
  return pick ? (value) => JSON.stringify(pick(value)) : byZod(route)
}

/** Null where zod itself is needed. */
export function compile(schema: $ZodType): Pick | null {
  const { def } = (schema as $ZodTypes)._zod
  if (def.type === 'object') return compileObject(def)
  if (def.type === 'array') return compileArray(def)
  if (def.type === 'optional')
    return wrap(compile(def.innerType), (pick) => (value) => (value === undefined ? value : pick(value)))
  if (def.type === 'nullable')
    return wrap(compile(def.innerType), (pick) => (value) => (value === null ? value : pick(value)))
  if (def.type === 'string' || def.type === 'boolean') return ofType(def.type)
  if (def.type === 'number') return finite
  if (def.type === 'null') return isOne([null])
  if (def.type === 'literal') return isOne(def.values)
  return def.type === 'enum' ? isOne(Object.values(def.entries)) : null
}

function compileObject({
  shape,
  catchall,
  checks,
}: Extract<$ZodTypes['_zod']['def'], { type: 'object' }>): Pick | null {
  if (catchall || checks?.length) return null
  const fields: [string, Pick][] = []
  for (const [name, schema] of Object.entries(shape)) {
    const pick = compile(schema)
    if (!pick) return null
    fields.push([name, pick])
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return misfit('object')
    const picked: Record<string, unknown> = {}
    for (const [name, pick] of fields) picked[name] = pick((value as Record<string, unknown>)[name])
    return picked
  }
}

function compileArray({ element, checks = [] }: Extract<Def, { type: 'array' }>): Pick | null {
  const lengths = checks.map((check) => (check as $ZodChecks)._zod.def)
  const limits = lengths.filter((def) => def.check === 'max_length')
  if (limits.length < lengths.length) return null
  const most = Math.min(...limits.map(({ maximum }) => maximum))
  return wrap(compile(element), (pick) => (value) => {
    if (!Array.isArray(value) || value.length > most) return misfit(`array of at most ${most}`)
    return value.map((each) => pick(each))
  })
}

const wrap = (pick: Pick | null, around: (pick: Pick) => Pick): Pick | null => pick && around(pick)
const ofType =
  (type: 'string' | 'boolean'): Pick =>
  (value) =>
    typeof value === type ? value : misfit(type)
const finite: Pick = (value) => (Number.isFinite(value) ? value : misfit('number'))
function isOne(values: readonly unknown[]): Pick {
  const known = new Set(values)
  return (value) => (known.has(value) ? value : misfit('one of a few'))
}

/** Without the value, which may be what nobody shall see. */
function misfit(wanted: string): never {
  throw new TypeError(`An answer does not fit its schema: ${wanted} is wanted`)
}
