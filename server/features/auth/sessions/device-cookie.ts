import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../dependencies.ts'
import { deriveSecret } from '../../../platform/db/secret.ts'
import { createHostCookie } from './host-cookie.ts'

export const deviceTtlSeconds = 365 * 24 * 3600

/**
 * Tells a device that has logged in to an account before, so that what strangers do behind the same address does not
 * keep it out. It gives access to nothing. The value is a random name of the device and its signature for the account,
 * of which only the one logged in to last is remembered here; `known_devices` knows the others.
 */
export function createDeviceCookie({ config, secret }: Pick<Deps, 'config' | 'secret'>) {
  const cookie = createHostCookie(config.publicUrl, 'lectern-device', deviceTtlSeconds)
  const key = deriveSecret(secret, 'device')
  const sign = (device: string, email: string) =>
    createHmac('sha256', key).update(`${device} ${email}`).digest('base64url')

  /** The name of the device, where it has logged in to the account of this e-mail. */
  function findDevice(request: FastifyRequest, email: string): string | null {
    const [device = '', signature = ''] = cookie.get(request)?.split('.') ?? []
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(device, email))]
    return given.length === right.length && timingSafeEqual(given, right) ? device : null
  }

  return {
    findDevice,
    /** Its name, whoever logged in there last; a fresh one where it has none. Unguessable, so it need not be signed. */
    nameDevice(request: FastifyRequest): string {
      const [device = ''] = cookie.get(request)?.split('.') ?? []
      return /^[\w-]{22}$/.test(device) ? device : randomBytes(16).toString('base64url')
    },
    remember(reply: FastifyReply, device: string, email: string): void {
      cookie.set(reply, `${device}.${sign(device, email)}`)
    },
  }
}
