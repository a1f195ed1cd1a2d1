import { expect, it } from 'vitest'
import { z } from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { loadSchema } from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { joinNull, serializerCompiler } from './endpoints.ts'

/** Every JSON response with its endpoint and status. */
const answers: [string, $ZodType][] = []
for (const { method, path, responses: byStatus } of Object.values(endpoints)) {
  for (const [status, answer] of Object.entries(byStatus)) {
    if ('file' in answer || 'empty' in answer) continue
    answers.push([`${method} ${path} ${status}`, await loadSchema(answer)])
  }
}
const serialise = (schema: $ZodType) => serializerCompiler({ schema: schema as z.ZodType, method: 'GET', url: '/' })

/** Returns a valid value, and the same with an extra field in every object. */
function sample(schema: $ZodType): { clean: unknown; dirty: unknown } {
  const { def } = (schema as $ZodTypes)._zod
  const both = (value: unknown) => ({ clean: value, dirty: value })
  if (def.type === 'object') {
    const fields = Object.entries(def.shape).map(([name, field]) => [name, sample(field)] as const)
    const of = (which: 'clean' | 'dirty') => Object.fromEntries(fields.map(([name, value]) => [name, value[which]]))
    return { clean: of('clean'), dirty: { ...of('dirty'), user_id: 'canary', author: { name: 'canary' } } }
  }
  if (def.type === 'array') {
    const { clean, dirty } = sample(def.element)
    return { clean: [clean, clean], dirty: [dirty, dirty] }
  }
  if (def.type === 'tuple') {
    const items = def.items.map(sample)
    return { clean: items.map(({ clean }) => clean), dirty: items.map(({ dirty }) => dirty) }
  }
  if (def.type === 'record') {
    const { clean, dirty } = sample(def.valueType)
    return { clean: { some: clean }, dirty: { some: dirty } }
  }
  if (def.type === 'union' && def.options[0]) return sample(def.options[0])
  if (def.type === 'optional' || def.type === 'nullable') return sample(def.innerType)
  if (def.type === 'enum') return both(Object.values(def.entries)[0])
  if (def.type === 'literal') return both(def.values[0])
  return both({ string: 'text', number: 7, boolean: true, null: null }[def.type as string])
}

/** Yields the value without each of its required fields, one at a time. */
function* spoiled(schema: $ZodType, value: unknown): Generator<unknown> {
  const { def } = (schema as $ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'nullable') yield* spoiled(def.innerType, value)
  if (def.type === 'array') for (const each of spoiled(def.element, (value as unknown[])[0])) yield [each]
  if (def.type !== 'object') return
  const fields = value as Record<string, unknown>
  for (const [name, field] of Object.entries(def.shape)) {
    const { [name]: own, ...others } = fields
    if ((field as $ZodTypes)._zod.def.type !== 'optional') yield others
    for (const each of spoiled(field, own)) yield { ...fields, [name]: each }
  }
}

it('every response of the contract has no field that its schema lacks, at any depth', () => {
  for (const [name, schema] of answers) {
    const { clean, dirty } = sample(schema)
    const json = serialise(schema)(dirty)
    expect(JSON.parse(json), name).toEqual(clean)
    expect(json, name).not.toContain('canary')
  }
})

it('every response of the contract is refused where a field is missing', () => {
  for (const [name, schema] of answers) {
    for (const value of spoiled(schema, sample(schema).clean)) {
      expect(() => serialise(schema)(value), name).toThrow(/required/)
    }
  }
})

it('every response of the contract is written without validating values to find their schema', () => {
  for (const [name, schema] of answers) {
    const json = z.toJSONSchema(schema, { target: 'draft-7', override: joinNull })
    expect(JSON.stringify(json), name).not.toContain('anyOf')
  }
})

it('an optional field may be absent, a nullable one null, and texts are escaped', () => {
  const schema = z.object({
    may: z.string().optional(),
    at: z.iso.datetime().nullable(),
    kind: z.enum(['a']).nullable(),
  })
  expect(serialise(schema)({ at: null, kind: null })).toBe('{"at":null,"kind":null}')
  expect(JSON.parse(serialise(schema)({ may: '"\u2028', at: '"', kind: 'a' }))).toEqual({
    may: '"\u2028',
    at: '"',
    kind: 'a',
  })
  expect(() => serialise(z.object({ count: z.number() }))({ count: Number.NaN })).toThrow()
})

it('agrees with zod about the responses of the server', async () => {
  const test = await openTestApp()
  const [author, reader] = await Promise.all([createUser(test), createUser(test)])
  const noteId = await createNote(test, author, { isAnonymous: true })
  await createNote(test, author, { instructor: 'Dr. Zhao' })
  const rating = { method: 'PATCH' as const, url: `/api/notes/${noteId}/rating`, payload: { likes: '+' } }
  for (const request of [
    rating,
    { url: '/api/notes' },
    { url: '/api/users/me' },
    { url: '/api/users/me/notes/liked' },
  ]) {
    const answer = await test.app.inject({ ...request, headers: reader.auth })
    expect(answer.statusCode).toBe(200)
    const path = request.url.replace(noteId, ':id')
    const [, schema] = answers.find(([name]) => name === `${request === rating ? 'PATCH' : 'GET'} ${path} 200`) ?? []
    expect((schema as z.ZodType).parse(answer.json())).toEqual(answer.json())
  }
})
