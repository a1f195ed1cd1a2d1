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

/** Helmet without Fastify's plugin, which puts the same headers together anew for every answer. */
export function setSecurityHeaders(publicUrl: string) {
  const set = helmet({
    contentSecurityPolicy,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
  return (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void): void =>
    set(request.raw, reply.raw, (error) => next(error as Error | undefined))
}
