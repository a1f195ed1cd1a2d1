import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newAppSecret, openAppSecret, sealAppSecret } from './codes.ts'

const secret = 'a secret of the tests, long enough'

it('a sealed secret opens for its account alone, and with no bit of it changed', () => {
  const [userId, appSecret] = [randomUUID(), newAppSecret()]
  const sealed = sealAppSecret(secret, userId, appSecret)
  expect(openAppSecret(secret, userId, sealed)).toBe(appSecret)
  expect(openAppSecret(secret, randomUUID(), sealed)).toBeNull()
  expect(openAppSecret(`${secret}!`, userId, sealed)).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    expect(openAppSecret(secret, userId, changed)).toBeNull()
  }
  expect(openAppSecret(secret, userId, sealed.subarray(0, -1))).toBeNull()
})
