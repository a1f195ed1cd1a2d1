import type { LightMyRequestResponse } from 'fastify'
import { getErrorCodes, loadSchema } from '../../../packages/contract/endpoint.ts'
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import type { TestUser } from '../app.ts'
import { findTraces } from '../canary.ts'
import type { Known } from './endpoints.ts'

/** Matches text that only a stack trace, a driver or the database produces. */
const fromWithin =
  /\n\s+at |node_modules|\.[jt]s:\d+|ECONN|syntax error at|invalid byte sequence|violates|ZodError|\bpg_|relation "/

/** Lists the faults of a response, which must not identify the user `hidden`. */
export async function judge(known: Known | null, answer: LightMyRequestResponse, hidden: TestUser): Promise<string[]> {
  const { statusCode, headers, body } = answer
  const wrong: string[] = []
  if (statusCode >= 500) wrong.push(`answers ${statusCode}: ${body.slice(0, 200)}`)
  if (statusCode >= 400 && fromWithin.test(body)) wrong.push(`reveals internals: ${body.slice(0, 300)}`)
  const traces = findTraces(hidden, answer)
  if (traces.length > 0) wrong.push(`names another user: ${traces.join(', ')}`)
  if (headers['x-content-type-options'] !== 'nosniff') wrong.push('may be taken for something else')
  if (headers['content-security-policy'] === undefined) wrong.push('has no policy')
  const type = String(headers['content-type'] ?? '')
  if (body !== '' && /^(text\/|application\/json)/.test(type) && !/charset=utf-8/i.test(type))
    wrong.push(`has no charset: ${type}`)
  if (known) wrong.push(...(await compare(known, answer, type)))
  return wrong
}

/** Compares a response with the contract. */
async function compare({ endpoint }: Known, { statusCode, body, headers }: LightMyRequestResponse, type: string) {
  const answer = endpoint.responses[statusCode]
  if (answer === undefined) return compareRefusal(getErrorCodes(endpoint), statusCode, body)
  if (headers['cache-control'] === undefined && endpoint.path.startsWith('/api/')) return ['may be kept by caches']
  if ('empty' in answer) return body === '' ? [] : [`is not empty: ${body.slice(0, 100)}`]
  if ('file' in answer) return type === answer.file ? [] : [`is ${type} instead of ${answer.file}`]
  const read = (await loadSchema(answer)).safeParse(JSON.parse(body))
  return read.success ? [] : [`does not fit its schema: ${JSON.stringify(read.error?.issues).slice(0, 300)}`]
}

function compareRefusal(codes: ErrorCode[], statusCode: number, body: string): string[] {
  if (statusCode === 304 || statusCode === 416) return []
  const { code, message, ...rest } = parse(body)
  if (code === undefined) return [`is no refusal: ${statusCode} ${body.slice(0, 200)}`]
  if (!codes.includes(code)) return [`is refused with ${code}, which the contract does not say`]
  if (errors[code].status !== statusCode) return [`is ${statusCode} instead of ${errors[code].status} for ${code}`]
  if (typeof message !== 'string' || message === '') return ['has no message']
  const more = Object.keys(rest).filter((key) => key !== 'fields')
  return more.length > 0 ? [`contains more than an error: ${more.join()}`] : []
}

function parse(body: string): { code?: ErrorCode; message?: unknown } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
