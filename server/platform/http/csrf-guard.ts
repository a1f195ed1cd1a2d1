import type { FastifyRequest } from 'fastify'
import { fail } from './api-error.ts'

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
