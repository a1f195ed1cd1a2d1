import type { FastifyReply, FastifyRequest } from 'fastify'

/** For every answer of ours: pages run our own files only, and show PDFs and previews from blobs they made. */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  // Positioned menus and dialogs set their place in style attributes.
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
/** No text becomes script or markup; `web/platform/pdf/worker-url.ts` has the only exception. */
const trustedTypes = { 'require-trusted-types-for': "'script'", 'trusted-types': 'default' }

const write = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map((directive) => directive.join(' '))
    .join(';')

const policyOfPages = (filesOrigin: string | null) => {
  const connect = filesOrigin ? `'self' ${filesOrigin}` : "'self'"
  return write({ ...directives, 'connect-src': connect, ...trustedTypes })
}
/** For the reference of the API, which makes markup of its texts. */
export const apiDocsCsp = write(directives)

/** What a page of notes has no use for, whatever runs in it. */
const withheld = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/** What its own pages may ask the browser for, and no frame in them. */
const ofItsOwn = ['publickey-credentials-create', 'publickey-credentials-get']

const permissions = [...withheld.map((feature) => `${feature}=()`), ...ofItsOwn.map((feature) => `${feature}=(self)`)]

/**
 * Where the site is served, whether its subdomains are all served by https too, and where pages may fetch files from
 * besides, by addresses they are given.
 */
export type Site = { publicUrl: string; hstsSubdomains: boolean; filesOrigin?: string | null }

/** The same for every answer: they are put together once. */
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
