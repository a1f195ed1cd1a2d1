import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../dependencies.ts'
import { deriveSecret } from '../../../platform/db/secret.ts'

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

export const deviceTtlSeconds = 365 * 24 * 3600

/**
 * Recognises a device that has logged in to an account before, so that failed logins of strangers behind the same
 * address do not lock it out. It grants no access. The value is a random name of the device and its signature for the
 * account of the last login; the table `known_devices` stores the others.
 */
export function createDeviceCookie({ config, secret }: Pick<Deps, 'config' | 'secret'>) {
  const cookie = createHostCookie(config.publicUrl, 'lectern-device', deviceTtlSeconds)
  const key = deriveSecret(secret, 'device')
  const sign = (device: string, email: string) =>
    createHmac('sha256', key).update(`${device} ${email}`).digest('base64url')

  /** Returns the name of the device if it has logged in to the account of this email. */
  function findDevice(request: FastifyRequest, email: string): string | null {
    const [device = '', signature = ''] = cookie.get(request)?.split('.') ?? []
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(device, email))]
    return given.length === right.length && timingSafeEqual(given, right) ? device : null
  }

  return {
    findDevice,
    /** Keeps the name for every account, or creates one. It is unguessable, so it needs no signature. */
    nameDevice(request: FastifyRequest): string {
      const [device = ''] = cookie.get(request)?.split('.') ?? []
      return /^[\w-]{22}$/.test(device) ? device : randomBytes(16).toString('base64url')
    },
    remember(reply: FastifyReply, device: string, email: string): void {
      cookie.set(reply, `${device}.${sign(device, email)}`)
    },
  }
}
