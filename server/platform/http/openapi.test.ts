import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../packages/contract/endpoint.ts'
import { endpoints } from '../../../packages/contract/endpoints.ts'
import { filterNames } from '../../../packages/contract/search.ts'
import { openTestApp } from '../../testing/app.ts'

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
