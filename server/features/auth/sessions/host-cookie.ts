import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Creates a cookie that scripts cannot read and other sites' pages do not send. `__Host-` binds it to this exact host,
 * but browsers accept it over https only.
 */
export function createHostCookie(publicUrl: string, plainName: string, maxAgeSeconds: number) {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? `__Host-${plainName}` : plainName
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    get: (request: FastifyRequest) => request.cookies[name],
    set: (reply: FastifyReply, value: string) =>
      reply.setCookie(name, value, { ...attributes, maxAge: maxAgeSeconds }).header('cache-control', 'no-store'),
    clear: (reply: FastifyReply) => reply.clearCookie(name, attributes),
  }
}
