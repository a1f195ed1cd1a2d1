import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'

/** For every answer of ours: pages run our own files only, and show PDFs and previews from blobs they made. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    // Positioned menus and dialogs set their place in style attributes.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    // A note is opened as a blob, which inherits this policy.
    objectSrc: ["'self'", 'blob:'],
    frameSrc: ["'self'", 'blob:'],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}

/** Helmet's headers, which are the same for every answer: they are put together once. */
export function setSecurityHeaders(publicUrl: string) {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy,
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    }),
  )
  return (_request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    reply.headers(headers)
    next()
  }
}

/** What helmet sets on an answer that nobody gets. */
function headersOf(set: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  set(answer.req, answer, (error) => {
    if (error) throw error
  })
  return answer.getHeaders()
}
