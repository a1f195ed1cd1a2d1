import { describeWait, type ErrorCode, errorMessage } from '../../../packages/contract/errors.ts'

type Details = {
  /** Instead of the message of the code. */
  message?: string
  /** The values for the placeholders in the message. */
  values?: Record<string, string | number>
  /** The message of each invalid field. The first one becomes the error message, which pages show as a toast. */
  fields?: Record<string, string>
  /** The Retry-After header, in seconds. */
  retryAfterSeconds?: number
  /** The underlying error, for the log only. */
  cause?: unknown
}

/** An error with a code of the contract. The error handler converts it to the response. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, { message, values, fields, retryAfterSeconds, cause }: Details = {}) {
    const when: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { when: describeWait(retryAfterSeconds) }
    super(message ?? Object.values(fields ?? {})[0] ?? errorMessage(code, { ...when, ...values }), { cause })
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function fail(code: ErrorCode, details?: Details): never {
  throw new ApiError(code, details)
}
