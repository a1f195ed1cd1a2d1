import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { loadShape } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { openTestApp } from '../test/app.ts'
import { createNote, createUser } from '../test/factories.ts'
import { compile, serializerCompiler } from './serialiser.ts'

/** Every answer in JSON, with where it comes from. */
const answers: [string, $ZodType][] = []
for (const { method, path, answers: byStatus } of Object.values(endpoints)) {
  for (const [status, answer] of Object.entries(byStatus)) {
    if ('file' in answer || 'empty' in answer) continue
    answers.push([`${method} ${path} ${status}`, await loadShape(answer)])
  }
}
const serialise = (schema: z.ZodType) => serializerCompiler({ schema, method: 'GET', url: '/' })

/** A value that fits, and the same with something of its own in every object. */
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
  if (def.type === 'optional' || def.type === 'nullable') return sample(def.innerType)
  if (def.type === 'enum') return both(Object.values(def.entries)[0])
  if (def.type === 'literal') return both(def.values[0])
  return both({ string: 'text', number: 7, boolean: true, null: null }[def.type as string])
}

/** The value once for each place in it, with something there that fits nowhere. */
function* spoiled(value: unknown): Generator<unknown> {
  yield Symbol('nothing fits this')
  if (Array.isArray(value)) for (const each of spoiled(value[0])) yield [each]
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value))
      for (const each of spoiled(field)) yield { ...value, [name]: each }
  }
}

const compiled = answers.filter(([, schema]) => compile(schema) !== null)

describe('every answer of the contract', () => {
  it('is compiled, but for a record, a tuple and a list of one length', () => {
    const left = answers.filter((answer) => !compiled.includes(answer)).map(([name]) => name)
    expect(left).toEqual([
      'GET /api/admin/audit 200',
      'GET /api/notes/:id/recognised-text 200',
      'GET /api/users/me/sharing 200',
    ])
  })

  it.each(compiled)('%s has no field that its schema lacks, at any depth', (_name, schema) => {
    const { clean, dirty } = sample(schema)
    const json = serialise(schema as z.ZodType)(dirty)
    expect(JSON.parse(json)).toEqual(clean)
    expect(json).not.toContain('canary')
  })

  it.each(compiled)('%s is refused where anything in it is of another type or missing', (_name, schema) => {
    const { clean } = sample(schema)
    for (const value of spoiled(clean)) expect(() => serialise(schema as z.ZodType)(value)).toThrow(/does not fit/)
  })
})

it('leaves out what is optional and not there, and takes null only where it may be', () => {
  const schema = z.object({ may: z.string().optional(), nullable: z.string().nullable() })
  expect(serialise(schema)({ nullable: null })).toBe('{"nullable":null}')
  expect(() => serialise(schema)({ may: null, nullable: null })).toThrow()
  expect(() => serialise(schema)({})).toThrow()
  expect(() => serialise(z.object({ count: z.number() }))({ count: Number.NaN })).toThrow()
})

it('refuses a list that is longer than it may be', () => {
  const schema = z.object({ list: z.array(z.string()).max(2) })
  expect(serialise(schema)({ list: ['a', 'b'] })).toBe('{"list":["a","b"]}')
  expect(() => serialise(schema)({ list: ['a', 'b', 'c'] })).toThrow(/does not fit/)
})

it('leaves to zod what has more to it than names and types', () => {
  for (const schema of [
    z.looseObject({}),
    z.object({ a: z.string().transform(Number) }),
    z.union([z.string(), z.number()]),
  ]) {
    expect(compile(schema)).toBeNull()
  }
  expect(serialise(z.object({ a: z.union([z.string(), z.number()]) }))({ a: 1, b: 2 })).toBe('{"a":1}')
})

it('says the same as zod of what the server answers', async () => {
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
    expect(JSON.stringify((schema as z.ZodType).parse(answer.json()))).toBe(answer.body)
  }
})
