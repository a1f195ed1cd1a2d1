import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { type ErrorBody, type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { isDatabaseUnavailable, isMissingUserError } from '../db/database-unavailable.ts'
import { describeError } from '../observability/log.ts'
import { isStorageUnavailable } from '../storage/storage-unavailable.ts'
import { ApiError } from './api-error.ts'

/** The cause of a refusal until the server is ready. */
export const stillStarting = 'still starting'
/** A browser or a probe that asks earlier than this is no reason to warn. */
const startWarningAfterSeconds = 20
/** The cause of a refusal that load balancers wait for. */
export const draining = 'draining'

/** Turns whatever a route threw into the one error form. What nobody foresaw answers 500 and is logged whole. */
export function handleError(error: FastifyError | null, request: FastifyRequest, reply: FastifyReply) {
  const failure = toApiError(error)
  const { status } = errors[failure.code]
  if (request.server.isEnding) request.log.info(`${request.method} was cut off by the end of the server`)
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

/** One line: a database that is away is nothing to be found in our code. The query is left out; see `logResponse`. */
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
  // Fastify's own refusals (malformed JSON, too long a URL …) carry a status below 500. Anything can be thrown, even null.
  const status = error?.statusCode ?? 500
  const isClientError = status >= 400 && status < 500
  return new ApiError(byStatus[status] ?? (isClientError ? 'malformed_request' : 'unexpected'))
}

const requiredMessages: ReadonlySet<string> = new Set([messages.fillAllFields, messages.fillRequiredFields])

/** The message when several things are wrong: what is missing, else the first problem. Each field gets its own first one. */
function invalidInput(issues: { instancePath: string; message?: string | undefined }[]): ApiError {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const name = issue.instancePath.split('/')[1]
    if (name) fields[name] ??= issue.message ?? ''
  }
  const failure = new ApiError('invalid_input', { fields })
  const texts = issues.flatMap(({ message }) => message || [])
  const first = texts.find((text) => requiredMessages.has(text)) ?? texts[0]
  if (first) failure.message = first
  return failure
}
