import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ts } from '@ts-morph/common'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { type Endpoint, loadSchema } from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { filterNames } from '../../../packages/contract/search.ts'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { joinNull, serializerCompiler } from './endpoints.ts'

const { app } = await openTestApp()

type Operation = {
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> }
  responses: Record<string, { description: string; content?: object }>
  security?: object[]
}
type Description = { openapi: string; paths: Record<string, Record<string, Operation>>; components: object }

const response = await app.inject('/api/openapi.json')
const description: Description = response.json()
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)
/** `auth-guard.test.ts` lists the public calls. */
const publicCalls = Object.values<Endpoint>(endpoints).filter((endpoint) => endpoint.public)
const isPublic = (name: string) =>
  publicCalls.some(({ method, path }) => name === `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
const named = (name: string) => operations.find((operation) => operation.name === name)?.operation

describe('/api/openapi.json', () => {
  it('names every call and no other', () => {
    expect(response.statusCode).toBe(200)
    expect(description.openapi).toMatch(/^3\.1\./)
    const inContract = Object.entries(endpoints).map(([operationId, { method, path }]) => ({
      name: `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      operationId,
    }))
    const described = operations.map(({ name, operation: { operationId } }) => ({ name, operationId }))
    expect(described).toHaveLength(inContract.length)
    expect(described).toEqual(expect.arrayContaining(inContract))
  })

  it.each(operations.map(({ name, operation }) => [name, operation] as const))('describes %s', (name, operation) => {
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const described = operation.parameters?.filter((parameter) => parameter.in === 'path') ?? []
    expect(described).toEqual(inPath.map((parameter) => expect.objectContaining({ name: parameter, required: true })))
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(expect.arrayContaining([expect.stringMatching(/^2/), '400', '500', '503']))
    // The document requires a token exactly where it describes the response to a missing one.
    expect(operation.security).toEqual(isPublic(name) ? [] : [{ accessToken: [] }])
    if (!isPublic(name)) expect(statuses).toEqual(expect.arrayContaining(['401', '429']))
  })

  it('describes how to send files and what a note is read as', () => {
    const form = named('POST /api/notes')?.requestBody?.content['multipart/form-data']?.schema
    expect(form?.properties).toMatchObject({ note: { type: 'array', items: { type: 'string', format: 'binary' } } })
    expect(form?.required).toEqual(['courseCode', 'academicYear', 'note'])
    expect(Object.keys(named('GET /api/notes/{id}/view')?.responses['200']?.content ?? {})).toEqual(['application/pdf'])
  })

  it('lists the parameters of a search', () => {
    for (const list of ['GET /api/notes', 'GET /api/users/me/notes', 'GET /api/users/me/notes/liked']) {
      const names = named(list)?.parameters?.map((parameter) => parameter.name)
      const ofAll = [...filterNames, 'sortBy', 'cursorId', 'cursorValue']
      expect(names).toEqual(list.endsWith('/me/notes') ? [...ofAll, 'groupBy', 'cursorCourse'] : ofAll)
    }
  })

  it('refers to nothing that is missing', () => {
    const references = [...response.body.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path.split('/'))
    for (const path of references) {
      const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], description)
      expect(found, path.join('/')).toBeDefined()
    }
  })
})

describe('/api/docs', () => {
  it.each(['/api/docs', '/api/docs/'])('opens at %s with every file it asks for, under our policy', async (url) => {
    const page = await app.inject(url)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    // The policy blocks inline scripts.
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/i)
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, file = '']) => new URL(file, `http://x${url}`),
    )
    expect(files.length).toBeGreaterThan(4)
    for (const file of files) {
      expect(file.host).toBe('x')
      expect((await app.inject(file.pathname)).statusCode, file.pathname).toBe(200)
    }
  })

  it('shows the description', async () => {
    expect((await app.inject('/api/docs/static/swagger-initializer.js')).body).toContain('/api/openapi.json')
  })
})

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
    for (const value of spoiled(schema, sample(schema).clean))
      expect(() => serialise(schema)(value), name).toThrow(/required/)
  }
})

it('every response of the contract is written without validating values to find their schema', () => {
  for (const [name, schema] of answers) {
    const json = z.toJSONSchema(schema, { target: 'draft-7', override: joinNull })
    expect(JSON.stringify(json), name).not.toContain('anyOf')
  }
})

it('an optional field may be absent, a nullable one null, and texts are escaped', () => {
  const kind = z.enum(['a']).nullable()
  const schema = z.object({ may: z.string().optional(), at: z.iso.datetime().nullable(), kind })
  expect(serialise(schema)({ at: null, kind: null })).toBe('{"at":null,"kind":null}')
  const value = { may: '"\u2028', at: '"', kind: 'a' }
  expect(JSON.parse(serialise(schema)(value))).toEqual(value)
  expect(() => serialise(z.object({ count: z.number() }))({ count: Number.NaN })).toThrow()
})

// openapi-typescript prints types with the JavaScript API of TypeScript, which TypeScript 7 lacks.
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? '@ts-morph/common/dist/typescript.js' : name, context),
})

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

const program = `
import { readFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { paths } from './lectern.ts'

const [baseUrl, email, password, file] = process.argv.slice(2) as [string, string, string, string]
const api = createClient<paths>({ baseUrl })

const login = await api.POST('/api/users/login', { body: { email, password } })
if (login.error) throw new Error(login.error.code)
const headers = { authorization: \`Bearer \${login.data.accessToken}\` }

const pdf = new File([await readFile(file)], 'Rings and fields.pdf', { type: 'application/pdf' })
const upload = await api.POST('/api/notes', {
  headers,
  body: { courseCode: 'MAT247', academicYear: '2025–26', isAnonymous: 'false', note: [pdf] },
  bodySerializer({ note, ...fields }) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const each of note) form.append('note', each)
    return form
  },
})
if (upload.error) throw new Error(upload.error.code)

const search = await api.GET('/api/search', { headers, params: { query: { text: 'rings' } } })
if (search.error) throw new Error(search.error.code)
const ids: string[] = search.data.hits.map(({ note }) => note._id)

const [id = ''] = ids
const view = await api.GET('/api/notes/{id}/view', { headers, params: { path: { id } }, parseAs: 'arrayBuffer' })
if (!view.data) throw new Error(view.error?.code)

const refused = await api.GET('/api/notes', { params: { query: { sortBy: 'likes' } } })

// @ts-expect-error: the contract names every order of a list.
await api.GET('/api/notes', { params: { query: { sortBy: 'title' } } })

console.log(JSON.stringify({ name: login.data.user.name, ids, bytes: view.data.byteLength, code: refused.error?.code }))
`

it('a client generated from the description logs in, uploads, searches and reads', async () => {
  const test = await openTestApp()
  const baseUrl = await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { name, email } = await createUser(test)
  const folder = await makeTestFolder()
  const { default: generate, astToString } = await import('openapi-typescript')
  const types = await generate(new URL('/api/openapi.json', baseUrl), {
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  })
  const compilerOptions = { lib: ['esnext'], types: ['node'] }
  const config = JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions })
  const [client, file] = [join(folder, 'client.ts'), join(folder, 'rings.pdf')]
  await Promise.all([
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
    writeFile(join(folder, 'package.json'), '{ "type": "module" }'),
    writeFile(join(folder, 'lectern.ts'), astToString(types)),
    writeFile(client, program),
    writeFile(file, onePagePdf),
    writeFile(join(folder, 'tsconfig.json'), config),
  ])
  const compiling = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  expect((await compiling.catch((error) => error)).stdout).toBe('')
  const { stdout } = await run(process.execPath, [client, baseUrl, email, password, file])
  const notes = await test.deps.db.selectFrom('notes').select(['id', 'title']).execute()
  expect(notes).toEqual([{ id: expect.any(String), title: 'Rings and fields' }])
  const [note] = notes
  expect(JSON.parse(stdout)).toEqual({ name, ids: [note?.id], bytes: onePagePdf.length, code: 'unauthorized' })
})
