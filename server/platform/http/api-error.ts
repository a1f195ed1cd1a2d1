import { describeWait, type ErrorCode, errorMessage } from '../../../packages/contract/errors.ts'

type Details = {
  /** Fills the braces of the message. */
  values?: Record<string, string | number>
  /** What is wrong with each input; the first one is the message, which is what a page shows as a toast. */
  fields?: Record<string, string>
  /** Seconds after which trying again makes sense: the Retry-After header. */
  retryAfterSeconds?: number
  /** What it came from, for the log alone. */
  cause?: unknown
}

/** A refusal with a code of the contract. The error handler turns it into the answer. */
export class ApiError extends Error {
  override name = 'Failure'
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, { values, fields, retryAfterSeconds, cause }: Details = {}) {
    const when: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { when: describeWait(retryAfterSeconds) }
    super(Object.values(fields ?? {})[0] ?? errorMessage(code, { ...when, ...values }), { cause })
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function fail(code: ErrorCode, details?: Details): never {
  throw new ApiError(code, details)
}
