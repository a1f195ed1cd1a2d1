import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import { runInContext, type TelemetryContext } from '../observability/tracing.ts'
import { type IsTrusted, isOwnNetwork } from './addresses.ts'
import { ApiError } from './api-error.ts'

/**
 * One line for each answer. It leaves out the query, where mailed links carry their tokens, and who asked, so that
 * the log ties no person to an anonymous note.
 */
export async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = request.url.split('?', 1)[0]
  request.log.info({ ms: Math.round(reply.elapsedTime) }, `${request.method} ${path} ${reply.statusCode}`)
}

const intervalMs = 30_000
/** The slowest phone connection worth waiting for sends this much in an interval. */
const leastBytes = 16 * 2 ** 10

/**
 * Ends connections whose request body trickles in so slowly that they only hold the server up. There is nobody to
 * answer: a client that slow is gone or hostile.
 */
export async function enforceMinBodyRate(request: FastifyRequest): Promise<void> {
  const { raw } = request
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  let seenBytes = raw.socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    if (raw.socket.bytesRead - seenBytes < leastBytes) {
      request.log.info('A request body stalled and was cut off')
      raw.socket.destroy()
    }
    seenBytes = raw.socket.bytesRead
  }, intervalMs)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

/** Aborts when the client goes away before it has been answered. The reason is answered to nobody, and is no error. */
export function createClientAbortSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const giveUp = () => gone.abort(new ApiError('malformed_request'))
  if (reply.request.raw.socket.destroyed) giveUp()
  reply.raw.once('close', () => reply.raw.writableFinished || giveUp())
  return gone.signal
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the first hook. */
    work: TelemetryContext | null
  }
}

/** Short enough for the name of a portal, and without anything that ends a comment in SQL. */
const passedOn = /^[\w.-]{1,60}$/

/** What a trusted proxy says in a header. Of anybody else's nothing is believed. */
function readTrusted(isTrusted: IsTrusted, { headers, socket }: IncomingMessage, name: string): string | undefined {
  const said = headers[name]
  return typeof said === 'string' && isTrusted(socket.remoteAddress) ? said : undefined
}

/** The id of a request, in every line and statement of it: the one that a trusted proxy has given it, or a new one. */
export function createRequestId(isTrusted: IsTrusted): (request: IncomingMessage) => string {
  return (request) => {
    const given = readTrusted(isTrusted, request, 'x-request-id')
    return given !== undefined && passedOn.test(given) ? given : randomBytes(16).toString('hex')
  }
}

/** Measures requests and traces them; what they ask for is known to be theirs. Before every other hook. */
export function observeRequests(app: FastifyInstance, { metrics, tracing }: Telemetry, isTrusted: IsTrusted): void {
  app.decorateRequest('work', null)
  app.addHook('onRequest', (request, reply, done) => {
    metrics.requestsUnderWay.inc()
    const span = tracing.begin('request', request.method, readTrusted(isTrusted, request.raw, 'traceparent'))
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort(new ApiError('malformed_request')))
    request.work = { kind: 'request', id: request.id, span, signal: closed.signal }
    runInContext(request.work, done)
  })
  // The body came by events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.work) runInContext(request.work, done)
    else done()
  })
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { method } = request
    const [route, status] = [routeOf(request, statusCode), String(statusCode)]
    metrics.requestsUnderWay.dec()
    metrics.requests.inc({ method, route, status })
    metrics.requestSeconds.observe({ kind: kindOf(method, route) }, elapsedTime / 1000)
    request.work?.span.end({
      name: `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': statusCode,
        'request.id': request.id,
      },
      hasFailed: statusCode >= 500,
    })
    done()
  })
}

/** A pattern, never an address. Built files have names of their own in each release, and one route each. */
function routeOf({ is404, routeOptions: { url = '' } }: FastifyRequest, statusCode: number): string {
  if (is404) return statusCode === 404 ? 'unknown' : 'pages'
  if (url.startsWith('/api/docs')) return '/api/docs'
  return /^\/(api|dev|healthz|readyz)\b/.test(url) ? url : 'pages'
}

/** Requests that take a similar time. */
function kindOf(method: string, route: string): string {
  if (!route.startsWith('/api/')) return 'page'
  if (method !== 'GET') return method === 'POST' && route === '/api/notes' ? 'upload' : 'write'
  return /\/(view|file)$/.test(route) ? 'file' : 'read'
}

/**
 * Says once that a proxy is not named in TRUST_PROXY: everybody behind it would share one limit on attempts. An address of
 * the internet is not logged: it may be a student's, whose program sends the header for no good reason.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance, log: Log, isTrusted: IsTrusted): void {
  let isSaid = false
  app.addHook('onRequest', async ({ headers, socket }) => {
    const { remoteAddress } = socket
    if (isSaid || headers['x-forwarded-for'] === undefined || !remoteAddress || isTrusted(remoteAddress)) return
    isSaid = true
    const whose = isOwnNetwork(remoteAddress) ? remoteAddress : 'an address of the internet'
    log.warn(
      `X-Forwarded-For came from ${whose}, which TRUST_PROXY does not name. If that is your proxy, everybody behind it shares one limit on logins: set TRUST_PROXY to its address.`,
    )
  })
}
