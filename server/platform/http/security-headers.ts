import type { FastifyReply, FastifyRequest } from 'fastify'

/** The policy of every response: pages run only our own files, and show PDFs and previews from their own blobs. */
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
