import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { type ErrorCode, errors } from '../../contract/errors.ts'

/** Expects the one error form, with the code's status and, unless another is given, its message. */
export function expectRefusal(response: LightMyRequestResponse, code: ErrorCode, message?: string): void {
  const body = response.json()
  expect(body).toMatchObject({ code, message: message ?? errors[code].message })
  expect(response.statusCode).toBe(errors[code].status)
  expect(Object.keys(body).filter((key) => !['message', 'code', 'fields'].includes(key))).toEqual([])
}
