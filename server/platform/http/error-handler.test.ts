import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { registration } from '../../../packages/contract/accounts.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { serializers } from '../observability/log.ts'
import { ApiError } from './api-error.ts'
import { handleError } from './error-handler.ts'

const lines: string[] = []
beforeEach(() => void lines.splice(0))
const log = pino({ level: 'info', serializers }, { write: (line: string) => void lines.push(line) })
const app = Fastify({ loggerInstance: log, bodyLimit: 1_000 }).withTypeProvider<ZodTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
app.setErrorHandler(handleError)

const thrown: Record<string, unknown> = {
  error: new Error('secret detail'),
  text: 'secret detail',
  null: null,
  undefined: undefined,
  status: Object.assign(new Error('secret detail'), { statusCode: 599 }),
  teapot: Object.assign(new Error('secret detail'), { statusCode: 418 }),
  away: Object.assign(new Error('terminating connection'), { code: '57P01', severity: 'FATAL' }),
  refused: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  pool: new Error('timeout exceeded when trying to connect'),
  deadlock: Object.assign(new Error('deadlock detected'), { code: '40P01', severity: 'ERROR' }),
  row: Object.assign(new Error('violates unique constraint "users_email_key"'), {
    code: '23505',
    severity: 'ERROR',
    detail: 'Key (email)=(ada@secret.example) already exists.',
    where: 'COPY users, line 7: secret',
  }),
  failure: new ApiError('upload_limit', { values: { maxFiles: 3, maxSizeMb: 7 } }),
  fields: new ApiError('invalid_input', { fields: { note: 'Too many' } }),
  busy: new ApiError('busy', { retryAfterSeconds: 5 }),
  limited: new ApiError('rate_limited', { retryAfterSeconds: 90 }),
}
app.get('/throw/:what', async (request) => {
  throw thrown[(request.params as { what: string }).what]
})
app.get('/lie', { schema: { response: { 200: z.object({ n: z.number() }) } } }, async () => ({ n: 'secret' }) as never)
app.post('/register', { schema: { body: registration } }, async () => ({}))

const get = (url: string) => app.inject({ url })
const register = (payload: object) => app.inject({ method: 'POST', url: '/register', payload })

const unexpected = ['error', 'text', 'null', 'undefined', 'status', 'deadlock']
it.each(unexpected)('an unexpected error answers 500 with one text and reveals nothing of it: %s', async (what) => {
  const response = await get(`/throw/${what}`)
  expectRefusal(response, 'unexpected', 'An error occurred')
  expect(response.body).not.toContain('secret')
  expect(lines.filter((line) => JSON.parse(line).level === 50)).toHaveLength(1)
})

it('an unexpected error is logged without PostgreSQL’s details of rows', async () => {
  expectRefusal(await get('/throw/row'), 'unexpected', 'An error occurred')
  const [logged = ''] = lines.filter((line) => JSON.parse(line).level === 50)
  const message = expect.stringContaining('users_email_key')
  expect(JSON.parse(logged).err).toMatchObject({ type: 'Error', code: '23505', message })
  expect(logged).not.toContain('secret')
})

it('an unexpected error is logged with where it was thrown', async () => {
  await get('/throw/error')
  expect(lines.join('')).toContain('"stack"')
})

it('an unexpected error covers answers that break their own schema', async () => {
  expectRefusal(await get('/lie'), 'unexpected')
})

it('what is cut off by the end of the server is no error', async () => {
  app.isEnding = true
  await get('/throw/error').finally(() => {
    app.isEnding = false
  })
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.filter(({ level }) => level > 30)).toEqual([])
  expect(logged.map(({ msg }) => msg)).toContain('GET was interrupted by the shutdown')
})

it('carries its code, text, fields and Retry-After', async () => {
  expectRefusal(await get('/throw/failure'), 'upload_limit', 'You can only upload up to 3 files, each up to 7MB.')
  const response = await get('/throw/fields')
  expectRefusal(response, 'invalid_input', 'Too many')
  expect(response.json().fields).toEqual({ note: 'Too many' })
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect((await get('/throw/limited')).headers['retry-after']).toBe('90')
})

it.each([
  ['away', 'unavailable: terminating connection'],
  ['refused', 'unavailable: connect ECONNREFUSED'],
  ['pool', 'unavailable: timeout exceeded when trying to connect'],
  ['busy', 'busy'],
])('is 503 while the database is away: %s, and one line in the log', async (what, text) => {
  const response = await get(`/throw/${what}`)
  expectRefusal(response, text.startsWith('unavailable') ? 'unavailable' : 'busy')
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 30)
  expect(warned.map(({ msg }) => msg)).toEqual([`GET /throw/${what} is refused: ${text}`])
  expect(lines.join('')).not.toContain('stack')
})

it('refuses a body that is too large', async () => {
  expectRefusal(await register({ name: 'x'.repeat(2_000) }), 'body_too_large')
})

it('other refusals of the framework are the client’s fault', async () => {
  expectRefusal(await get('/throw/teapot'), 'malformed_request')
})

it('input that is wrong in several ways returns missing fields first, and each field’s own problem', async () => {
  const password = 'Marigold desk 42!'
  const response = await register({ name: 'Ada', email: 'nobody', password, confirmPassword: '' })
  expectRefusal(response, 'invalid_input', messages.fillAllFields)
  expect(response.json().fields).toEqual({ email: messages.invalidEmail, confirmPassword: messages.fillAllFields })
})
