import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import type { Failure } from '../failure.ts'
import { createPasswordHasher } from './hasher.ts'
import { canStandBack } from './thread-priority.ts'

async function openHasher(options?: Parameters<typeof createPasswordHasher>[0]) {
  const hasher = await createPasswordHasher(options)
  onTestFinished(() => hasher.close())
  return hasher
}

it('hashes with argon2id and OWASP’s parameters, salted', async () => {
  const hasher = await openHasher()
  const [one, two] = await Promise.all([hasher.hash('Marigold 42!'), hasher.hash('Marigold 42!')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await hasher.verify('Marigold 42!', one)).toBe(true)
  expect(await hasher.verify('marigold 42!', one)).toBe(false)
})

it('gives the same password the same hash where it takes the salt of another', async () => {
  const hasher = await openHasher()
  const one = await hasher.hash('Marigold 42!')
  expect(await hasher.hash('Marigold 42!', one)).toBe(one)
  expect(await hasher.hash('marigold 42!', one)).not.toBe(one)
})

it('never accepts a password for nobody', async () => {
  const hasher = await openHasher()
  expect(await hasher.find('nobody has this password', [])).toBe(null)
})

it('finds a password among hashes of one salt', async () => {
  const hasher = await openHasher()
  const one = await hasher.hash('Marigold 42!')
  const two = await hasher.hash('Lavender 43!', one)
  expect(await hasher.find('Lavender 43!', [one, two])).toBe(two)
  expect(await hasher.find('Marigold 42!', [two, one])).toBe(one)
  expect(await hasher.find('lavender 43!', [one, two])).toBe(null)
})

it('takes a slot for nobody’s password as for anybody’s', async () => {
  const hasher = await openHasher({ slots: 1, waiting: 0 })
  const underWay = hasher.find('nobody has this password', [])
  await expect(hasher.find('nobody has this password', [])).rejects.toMatchObject({ code: 'busy' })
  expect(await underWay).toBe(null)
})

it('queues what exceeds its slots and refuses what exceeds the queue', async () => {
  const hasher = await openHasher({ slots: 1, waiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('Marigold 42!')))
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  for (const result of results.slice(3)) {
    expect(result).toMatchObject({ reason: expect.objectContaining({ code: 'busy' } satisfies Partial<Failure>) })
  }
  await expect(hasher.hash('Marigold 42!')).resolves.toMatch(/^\$argon2id/)
})

it('starts nothing more once it is closed', async () => {
  const hasher = await openHasher({ slots: 1, waiting: 2 })
  const results = Promise.allSettled(Array.from({ length: 3 }, () => hasher.hash('Marigold 42!')))
  await hasher.close()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

it('goes on after a comparison with what is no hash', async () => {
  const hasher = await openHasher({ slots: 1 })
  await expect(hasher.verify('Marigold 42!', 'no hash')).rejects.toThrow()
  expect(await hasher.verify('Marigold 42!', await hasher.hash('Marigold 42!'))).toBe(true)
})

it.runIf(canStandBack())('hashes on threads that stand back behind all others, as many as hash at once', async () => {
  const before = priorities()
  const own = getPriority()
  const hasher = await openHasher({ slots: 2 })
  await Promise.all(Array.from({ length: 6 }, () => hasher.hash('Marigold 42!')))
  expect(priorities().filter((priority) => priority > own).length).toBe(
    before.filter((priority) => priority > own).length + 2,
  )
  expect(getPriority()).toBe(own)
  await hasher.close()
  // A thread that has ended is listed until the system has put it away.
  await expect
    .poll(() => priorities().filter((priority) => priority > own))
    .toEqual(before.filter((priority) => priority > own))
})

/** Of all threads of this process. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    try {
      const [, fields = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
      return Number(fields.split(' ')[16])
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}
