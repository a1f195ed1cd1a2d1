import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { describeWait, type ErrorCode, errorMessage, errors } from '../../packages/contract/errors.ts'

/** Expects the common error format with the code's status and its message, unless another message is given. */
export function expectRefusal(response: LightMyRequestResponse, code: ErrorCode, message?: string): void {
  const body = response.json()
  const retryAfter = response.headers['retry-after']
  const when: Record<string, string> = retryAfter === undefined ? {} : { when: describeWait(Number(retryAfter)) }
  expect(body).toMatchObject({ code, message: message ?? errorMessage(code, when) })
  expect(response.statusCode).toBe(errors[code].status)
  expect(Object.keys(body).filter((key) => !['message', 'code', 'fields'].includes(key))).toEqual([])
}

/** Returns everything of a response that a client can see, except its date. */
export function toComparable({ statusCode, headers, body }: LightMyRequestResponse) {
  const { date: _date, ...rest } = headers
  return { statusCode, headers: rest, body }
}
