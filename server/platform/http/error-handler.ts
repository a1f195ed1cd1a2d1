import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type ErrorBody, type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { isDatabaseUnavailable, isMissingUserError } from '../db/database-unavailable.ts'
import { describeError } from '../observability/log.ts'
import { isStorageUnavailable } from '../storage/storage.ts'
import { ApiError } from './api-error.ts'

/** The cause of refusals before the server is ready. */
export const stillStarting = 'still starting'
/** Earlier refusals are not logged as warnings, because browsers and probes may ask early. */
const startWarningAfterSeconds = 20
/** The cause of refusals that load balancers expect. */
export const draining = 'draining'

/**
 * Converts any error of a route to the one error response. Unexpected errors are answered with 500 and logged in full.
 */
export function handleError(error: FastifyError | null, request: FastifyRequest, reply: FastifyReply) {
  const failure = toApiError(error)
  const { status } = errors[failure.code]
  if (request.server.isEnding) request.log.info(`${request.method} was interrupted by the shutdown`)
  else if (failure.code === 'unexpected') request.log.error({ err: error }, 'Request failed')
  else if (status >= 500) {
    const isStarting = failure.cause === stillStarting && process.uptime() < startWarningAfterSeconds
    const isExpected = isStarting || failure.cause === draining
    request.log[isExpected ? 'debug' : 'warn'](toLogMessage(request, failure))
  }
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds))
  const body: ErrorBody = { message: failure.message, code: failure.code }
  if (failure.fields) body.fields = failure.fields
  return reply.status(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Returns one line without a stack, because an outage is no bug in our code. It omits the query; see `logResponse`. */
function toLogMessage({ method, url }: FastifyRequest, { code, cause }: ApiError): string {
  const reason = cause === undefined ? '' : `: ${describeError(cause)}`
  return `${method} ${url.split('?', 1)[0]} is refused: ${code}${reason}`
}

function toApiError(error: FastifyError | null): ApiError {
  if (error instanceof ApiError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  if (isDatabaseUnavailable(error) || isStorageUnavailable(error))
    return new ApiError('unavailable', { retryAfterSeconds: 5, cause: error })
  if (isMissingUserError(error)) return new ApiError('unauthorized')
  const byStatus: Record<number, ErrorCode> = {
    400: 'malformed_request',
    404: 'not_found',
    408: 'malformed_request',
    413: 'body_too_large',
    415: 'unsupported_media_type',
  }
  // Fastify's own errors (malformed JSON, too long a URL …) have a status below 500. Code can throw anything, even
  // null.
  const status = error?.statusCode ?? 500
  const isClientError = status >= 400 && status < 500
  return new ApiError(byStatus[status] ?? (isClientError ? 'malformed_request' : 'unexpected'))
}

const requiredMessages: ReadonlySet<string> = new Set([messages.fillAllFields, messages.fillRequiredFields])

/** The main message reports a missing field, else the first problem. Each field gets its own first message. */
function invalidInput(issues: { instancePath: string; message?: string | undefined }[]): ApiError {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    // The innermost field, which is not the index in a list.
    const name = issue.instancePath.split('/').findLast((part) => /\D/.test(part))
    if (name) fields[name] ??= issue.message ?? ''
  }
  const texts = issues.flatMap(({ message }) => message || [])
  const message = texts.find((text) => requiredMessages.has(text)) ?? texts[0]
  return new ApiError('invalid_input', { fields, ...(message && { message }) })
}
