import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../observability/log.ts'
import { runInContext, type Telemetry, type TelemetryContext } from '../observability/telemetry.ts'
import { type IsTrusted, isOwnNetwork } from './addresses.ts'
import { ApiError, fail } from './api-error.ts'

/**
 * Logs one line per response. It omits the query, where mailed links carry their tokens, and the viewer, so that the
 * log ties no person to an anonymous note.
 */
export async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = request.url.split('?', 1)[0]
  request.log.info({ ms: Math.round(reply.elapsedTime) }, `${request.method} ${path} ${reply.statusCode}`)
}

const intervalMs = 30_000
/** The slowest phone connection that the server accepts sends this much per interval. */
const minBytes = 16 * 2 ** 10

/**
 * Ends connections whose request body arrives so slowly that they only occupy the server. It sends no response, because
 * such a client is gone or hostile.
 */
export async function enforceMinBodyRate(request: FastifyRequest): Promise<void> {
  const { raw } = request
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  let seenBytes = raw.socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    if (raw.socket.bytesRead - seenBytes < minBytes) {
      request.log.info('A request body stalled, so the connection was closed')
      raw.socket.destroy()
    }
    seenBytes = raw.socket.bytesRead
  }, intervalMs)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

/**
 * Aborts when the client disconnects before the response is complete. The reason is sent to no client and is no error.
 */
export function createClientAbortSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const giveUp = () => gone.abort(new ApiError('malformed_request'))
  if (reply.request.raw.socket.destroyed) giveUp()
  reply.raw.once('close', () => reply.raw.writableFinished || giveUp())
  return gone.signal
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The telemetry context; null before the first hook. */
    work: TelemetryContext | null
  }
}

/** At most 60 characters, none of which can end an SQL comment. */
const passedOn = /^[\w.-]{1,60}$/

/** Returns a header from a trusted proxy. The headers of other peers are ignored. */
function readTrusted(isTrusted: IsTrusted, { headers, socket }: IncomingMessage, name: string): string | undefined {
  const said = headers[name]
  return typeof said === 'string' && isTrusted(socket.remoteAddress) ? said : undefined
}

/** Creates the id in all log lines and statements of a request: the one that a trusted proxy sent, or a new one. */
export function createRequestId(isTrusted: IsTrusted): (request: IncomingMessage) => string {
  return (request) => {
    const given = readTrusted(isTrusted, request, 'x-request-id')
    return given !== undefined && passedOn.test(given) ? given : randomBytes(16).toString('hex')
  }
}

/** Measures and traces requests and runs them in their own context. Register this before every other hook. */
export function observeRequests(app: FastifyInstance, { metrics, tracing }: Telemetry, isTrusted: IsTrusted): void {
  app.decorateRequest('work', null)
  app.addHook('onRequest', (request, reply, done) => {
    metrics.requestsUnderWay.inc()
    const span = tracing.begin('request', request.method, readTrusted(isTrusted, request.raw, 'traceparent'))
    request.work = { kind: 'request', id: request.id, span, signal: createClientAbortSignal(reply) }
    runInContext(request.work, done)
  })
  // Connection events deliver the body outside the request's context, so it is restored here.
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

/**
 * Returns a pattern, never an address. Each built file has its own route and a new name in each release, so all count
 * as `pages`.
 */
function routeOf({ is404, routeOptions: { url = '' } }: FastifyRequest, statusCode: number): string {
  if (is404) return statusCode === 404 ? 'unknown' : 'pages'
  if (url.startsWith('/api/docs')) return '/api/docs'
  return /^\/(api|dev|healthz|readyz)\b/.test(url) ? url : 'pages'
}

/** Groups requests that take a similar time. */
function kindOf(method: string, route: string): string {
  if (!route.startsWith('/api/')) return 'page'
  if (method !== 'GET') return method === 'POST' && route === '/api/notes' ? 'upload' : 'write'
  return /\/(view|file)$/.test(route) ? 'file' : 'read'
}

/**
 * Warns once about a proxy that is missing in TRUST_PROXY, because all users behind it would share one limit on
 * attempts. Public addresses are not logged: one may belong to a student whose program sends the header without need.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance, log: Log, isTrusted: IsTrusted): void {
  let isReported = false
  app.addHook('onRequest', async ({ headers, socket }) => {
    const { remoteAddress } = socket
    if (isReported || headers['x-forwarded-for'] === undefined || !remoteAddress || isTrusted(remoteAddress)) return
    isReported = true
    const source = isOwnNetwork(remoteAddress) ? remoteAddress : 'an address of the internet'
    log.warn(
      `X-Forwarded-For came from ${source}, which TRUST_PROXY doesn’t list. If that is your proxy, set TRUST_PROXY to its address. Otherwise all users share one login limit.`,
    )
  })
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses writes requested by a page of another site (CSRF). Browsers send the origin of a request in Sec-Fetch-Site,
 * or in Origin where that is missing (plain http on a network). Programs send neither.
 * @param publicUrl the origin of our pages, whatever Host a reverse proxy sends.
 */
export function createCsrfGuard(publicUrl: string) {
  const ourHost = hostOf(publicUrl)
  return async (request: FastifyRequest): Promise<void> => {
    if (safeMethods.has(request.method)) return
    const site = request.headers['sec-fetch-site']
    if (site !== undefined) {
      if (site !== 'same-origin' && site !== 'none') fail('cross_site_request')
      return
    }
    const { origin } = request.headers
    if (origin === undefined) return
    const host = hostOf(origin)
    if (host !== request.host && host !== ourHost) fail('cross_site_request')
  }
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * The policy of every response: pages run only our own files and the script in their HTML (`allowInlineScripts`), and
 * show PDFs and previews from their own blobs.
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  // Menus and dialogs are positioned by style attributes.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  // A note is opened as a blob, which inherits this policy.
  'object-src': "'self' blob:",
  'frame-src': "'self' blob:",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}
/** No text becomes script or markup; `web/platform/pdf/worker-url.ts` contains the only exception. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join(';')

const policyOfPages = (filesOrigin: string | null) => {
  const connect = filesOrigin ? `'self' ${filesOrigin}` : "'self'"
  return write({ ...directives, 'connect-src': connect, ...trustedTypes })
}
/** The policy of the API reference, which builds markup from text. */
export const apiDocsCsp = write(directives)

/** Lets a page run the scripts in its HTML and no others. @param hashes such as `'sha256-…'`, with the quotes. */
export function allowInlineScripts(reply: FastifyReply, hashes: string): void {
  const policy = reply.getHeader('content-security-policy')
  if (policy) reply.header('content-security-policy', String(policy).replace("script-src 'self'", `$& ${hashes}`))
}

/** Browser features that the pages do not need and no script may use. */
const withheld = `accelerometer autoplay camera display-capture encrypted-media geolocation gyroscope hid idle-detection
  magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking`.split(/\s+/)

/** Browser features for our own pages only, not for frames in them. */
const ofItsOwn = ['publickey-credentials-create', 'publickey-credentials-get']

const permissions = [...withheld.map((feature) => `${feature}=()`), ...ofItsOwn.map((feature) => `${feature}=(self)`)]

/**
 * The public URL, whether all subdomains use https too, and the origin of presigned URLs from which pages may fetch
 * files.
 */
export type Site = { publicUrl: string; hstsSubdomains: boolean; filesOrigin?: string | null }

/** The headers are the same for every response, so they are built once. */
export function setSecurityHeaders({ publicUrl, hstsSubdomains, filesOrigin = null }: Site) {
  const headers: Record<string, string> = {
    'content-security-policy': policyOfPages(filesOrigin),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': permissions.join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  }
  const hsts = `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`
  if (publicUrl.startsWith('https:')) headers['strict-transport-security'] = hsts
  return (_request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    reply.headers(headers)
    next()
  }
}
