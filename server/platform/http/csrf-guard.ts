import type { FastifyRequest } from 'fastify'
import { fail } from './api-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes asked for by a page of another site (CSRF). Browsers say where a request comes from in
 * Sec-Fetch-Site, and where that is missing (plain http on a network) in Origin. Programs send neither.
 * @param publicUrl our pages' origin, whatever Host a proxy in between asks for.
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
