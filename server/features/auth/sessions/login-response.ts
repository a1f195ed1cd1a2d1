import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../dependencies.ts'
import { getProfileForSession } from '../../accounts/profile/profile.ts'
import { getUser } from '../../accounts/users/users.ts'
import { createDeviceCookie, createHostCookie } from './cookies.ts'
import { type Device, getDeviceLabel } from './known-devices.ts'
import { type StartedSession, sessionTtlSeconds } from './sessions.ts'

/** Reads the device from the request of any kind of login, and sets the cookies of its response. */
export function createLoginResponder({ db, config, secret }: Pick<Deps, 'db' | 'config' | 'secret'>) {
  const cookie = createHostCookie(config.publicUrl, 'lectern-refresh', sessionTtlSeconds)
  const devices = createDeviceCookie({ config, secret })
  return {
    cookie,
    findDevice(request: FastifyRequest, email: string): Device {
      return {
        name: devices.nameDevice(request),
        label: getDeviceLabel(request),
        isKnown: devices.findDevice(request, email) !== null,
      }
    },
    async answer(
      reply: FastifyReply,
      { userId, isLimited, accessToken, refreshToken }: StartedSession,
      device: Device,
    ) {
      const user = await getUser(db, userId)
      cookie.set(reply, refreshToken)
      devices.remember(reply, device.name, user.email)
      return { accessToken, user: await getProfileForSession(db, user, isLimited) }
    },
  }
}
