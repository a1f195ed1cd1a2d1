import { expect, it } from 'vitest'
import type { ApiError } from '../../../platform/http/api-error.ts'
import { createPasswordHasher } from './hasher.ts'

it('hashes with argon2id and OWASP’s parameters, salted', async () => {
  const hasher = await createPasswordHasher()
  const [one, two] = await Promise.all([hasher.hash('Marigold 42!'), hasher.hash('Marigold 42!')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await hasher.verify('Marigold 42!', one)).toBe(true)
  expect(await hasher.verify('marigold 42!', one)).toBe(false)
})

it('gives the same password the same hash where it takes the salt of another', async () => {
  const hasher = await createPasswordHasher()
  const one = await hasher.hash('Marigold 42!')
  expect(await hasher.hash('Marigold 42!', one)).toBe(one)
  expect(await hasher.hash('marigold 42!', one)).not.toBe(one)
})

it('finds a password among hashes of one salt', async () => {
  const hasher = await createPasswordHasher()
  const one = await hasher.hash('Marigold 42!')
  const two = await hasher.hash('Lavender 43!', one)
  expect(await hasher.find('Lavender 43!', [one, two])).toBe(two)
  expect(await hasher.find('Marigold 42!', [two, one])).toBe(one)
  expect(await hasher.find('lavender 43!', [one, two])).toBe(null)
})

it('takes a slot for an unknown account as for a known one', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1, maxWaiting: 0 })
  const underWay = hasher.find('no account has this password', [])
  await expect(hasher.find('no account has this password', [])).rejects.toMatchObject({ code: 'busy' })
  expect(await underWay).toBe(null)
})

it('queues what exceeds its slots and refuses what exceeds the queue', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1, maxWaiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('Marigold 42!')))
  const outcomes = results.map((result) => (result.status === 'rejected' ? (result.reason as ApiError).code : 'hashed'))
  expect(outcomes).toEqual(['hashed', 'hashed', 'hashed', 'busy', 'busy'])
  await expect(hasher.hash('Marigold 42!')).resolves.toMatch(/^\$argon2id/)
})

it('goes on after a comparison with what is no hash', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1 })
  await expect(hasher.verify('Marigold 42!', 'no hash')).rejects.toThrow()
  expect(await hasher.verify('Marigold 42!', await hasher.hash('Marigold 42!'))).toBe(true)
})
