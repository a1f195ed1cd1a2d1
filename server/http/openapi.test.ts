import { describe, expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'

const { app } = await openTestApp()

type Operation = {
  summary?: string
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
const named = (name: string) => operations.find((operation) => operation.name === name)?.operation

/** SPEC.md section 7, and what stands beside it. */
const calls = [
  'POST /api/users/',
  'POST /api/users/login',
  'POST /api/users/login/code',
  'POST /api/users/login/passkey',
  'POST /api/users/login/passkey/options',
  'POST /api/users/logout',
  'POST /api/users/auth/logout',
  'POST /api/users/auth/refresh',
  'POST /api/users/forgot-password',
  'POST /api/users/reset-password',
  'POST /api/users/verify',
  'POST /api/users/verify/password',
  'POST /api/users/verify/resend',
  'GET /api/users/me',
  'PATCH /api/users/me',
  'PATCH /api/users/me/name',
  'POST /api/users/me/password',
  'POST /api/users/not-me',
  'GET /api/users/me/export',
  'POST /api/users/me/export',
  'GET /api/users/me/export/file',
  'GET /api/users/me/leaving',
  'POST /api/users/me/leaving',
  'DELETE /api/users/me/leaving',
  'GET /api/users/me/email',
  'POST /api/users/me/email',
  'DELETE /api/users/me/email',
  'POST /api/users/me/email/again',
  'POST /api/users/confirm-email',
  'GET /api/users/me/passkeys',
  'POST /api/users/me/passkeys',
  'POST /api/users/me/passkeys/options',
  'PATCH /api/users/me/passkeys/{id}',
  'POST /api/users/me/passkeys/{id}/remove',
  'GET /api/users/me/two-factor',
  'POST /api/users/me/two-factor/setup',
  'POST /api/users/me/two-factor/on',
  'POST /api/users/me/two-factor/recovery-codes',
  'POST /api/users/me/two-factor/off',
  'GET /api/users/me/sessions',
  'POST /api/users/me/sessions/{id}/end',
  'POST /api/users/me/sessions/end-others',
  'GET /api/notes',
  'GET /api/users/me/notes',
  'GET /api/users/me/notes/liked',
  'GET /api/search',
  'GET /api/suggestions',
  'GET /api/notes/{id}/related',
  'GET /api/people/{id}',
  'GET /api/people/{id}/notes',
  'POST /api/notes',
  'GET /api/notes/by-id',
  'GET /api/notes/count',
  'GET /api/notes/{id}',
  'GET /api/notes/{id}/view',
  'GET /api/thumbnails/{key}/{file}',
  'GET /api/users/me/reading',
  'DELETE /api/users/me/reading/{id}',
  'GET /api/users/me/sharing',
  'GET /api/notes/{id}/reading',
  'PATCH /api/notes/{id}/reading',
  'GET /api/notes/{id}/recognised-text',
  'PATCH /api/notes/{id}/rating',
  'POST /api/notes/{id}/reports',
  'GET /api/moderation/queue',
  'GET /api/moderation/waiting',
  'GET /api/moderation/hidden',
  'GET /api/moderation/notes/{id}',
  'POST /api/moderation/notes/{id}/decisions',
  'POST /api/moderation/notes/{id}/question',
  'GET /api/users/me/moderation',
  'POST /api/users/me/notes/{id}/answer',
  'POST /api/users/me/notes/{id}/objection',
  'GET /api/decisions',
  'GET /api/users/me/notes/same-file',
  'PATCH /api/users/me/notes/{id}',
  'PATCH /api/users/me/notes/{id}/details',
  'DELETE /api/users/me/notes/{id}',
  'GET /api/courses',
  'GET /api/courses/{code}',
  'GET /api/courses/{code}/notes',
  'POST /api/courses/{code}/follow',
  'DELETE /api/courses/{code}/follow',
  'GET /api/users/me/courses',
  'GET /api/users/me/courses/notes',
  'PATCH /api/users/me/courses/mails',
  'POST /unsubscribe',
  'GET /api/registration',
  'POST /api/copyright',
  'GET /api/admin/members',
  'PATCH /api/admin/members/{id}/role',
  'POST /api/admin/members/{id}/suspension',
  'DELETE /api/admin/members/{id}/suspension',
  'PATCH /api/admin/members/{id}/quota',
  'GET /api/admin/note-suspensions',
  'POST /api/admin/notes/{id}/suspension',
  'DELETE /api/admin/notes/{id}/suspension',
  'GET /api/admin/audit',
  'GET /api/admin/settings',
  'PATCH /api/admin/settings',
  'GET /api/admin/invitations',
  'POST /api/admin/invitations',
  'POST /api/admin/invitations/{id}/again',
  'DELETE /api/admin/invitations/{id}',
  'GET /api/config',
  'GET /api/about',
  'GET /healthz',
  'GET /readyz',
]

describe('/api/openapi.json', () => {
  it('names every call and no other', () => {
    expect(response.statusCode).toBe(200)
    expect(description.openapi).toMatch(/^3\.1\./)
    expect(operations.map(({ name }) => name).sort()).toEqual([...calls].sort())
  })

  it.each(calls)('describes %s', (name) => {
    const operation = named(name)
    expect(operation?.summary).toBeTruthy()
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const described = operation?.parameters?.filter((parameter) => parameter.in === 'path') ?? []
    expect(described).toEqual(inPath.map((parameter) => expect.objectContaining({ name: parameter, required: true })))
    const statuses = Object.keys(operation?.responses ?? {})
    expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
    for (const { description: text } of Object.values(operation?.responses ?? {})) expect(typeof text).toBe('string')
    // Where a token is asked for, its absence is described, and nowhere else.
    expect(operation?.security).toEqual(isOpen(name) ? undefined : [{ accessToken: [] }])
    if (!isOpen(name)) expect(statuses).toContain('401')
  })

  it('says how to send files and what a note is read as', () => {
    const form = named('POST /api/notes')?.requestBody?.content['multipart/form-data']?.schema
    expect(form?.properties).toMatchObject({ note: { type: 'array', items: { type: 'string', format: 'binary' } } })
    expect(form?.required).toEqual(['courseCode', 'academicYear', 'note'])
    expect(Object.keys(named('GET /api/notes/{id}/view')?.responses['200']?.content ?? {})).toEqual(['application/pdf'])
  })

  it('lists the parameters of a search', () => {
    for (const list of ['GET /api/notes', 'GET /api/users/me/notes', 'GET /api/users/me/notes/liked']) {
      const names = named(list)?.parameters?.map((parameter) => parameter.name)
      const ofAll = ['title', 'courseCode', 'academicYear', 'instructor', 'sortBy', 'cursorId', 'cursorValue']
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

function isOpen(name: string): boolean {
  const open = [
    'GET /api/config',
    'GET /api/about',
    'GET /api/registration',
    'POST /api/copyright',
    'GET /api/thumbnails/{key}/{file}',
    'POST /unsubscribe',
    'GET /healthz',
    'GET /readyz',
  ]
  return open.includes(name) || /^POST \/api\/users\/(?!me\/)/.test(name)
}

describe('/api/docs', () => {
  it.each(['/api/docs', '/api/docs/'])('opens at %s with every file it asks for, under our policy', async (url) => {
    const page = await app.inject(url)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    // The policy runs no script that stands in the page itself.
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
