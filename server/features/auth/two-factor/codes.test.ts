import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { decryptTotpSecret, encryptTotpSecret, generateTotpSecret } from './codes.ts'

const secret = 'a secret of the tests, long enough'

it('a sealed secret opens for its account alone, and with no bit of it changed', () => {
  const [userId, appSecret] = [randomUUID(), generateTotpSecret()]
  const sealed = encryptTotpSecret(secret, userId, appSecret)
  expect(decryptTotpSecret(secret, userId, sealed)).toBe(appSecret)
  expect(decryptTotpSecret(secret, randomUUID(), sealed)).toBeNull()
  expect(decryptTotpSecret(`${secret}!`, userId, sealed)).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    expect(decryptTotpSecret(secret, userId, changed)).toBeNull()
  }
  expect(decryptTotpSecret(secret, userId, sealed.subarray(0, -1))).toBeNull()
})
