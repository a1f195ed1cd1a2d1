import { expect, it } from 'vitest'
import { isStrongPassword } from '../../../../packages/contract/password-rules.ts'
import type { ApiError } from '../../../platform/http/api-error.ts'
import { isCommonPassword, ownWords } from './common-passwords.ts'
import { createPasswordHasher } from './hasher.ts'

it('the password hasher hashes with argon2id and OWASP’s parameters, salted', async () => {
  const hasher = await createPasswordHasher()
  const [one, two] = await Promise.all([hasher.hash('Marigold 42!'), hasher.hash('Marigold 42!')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await hasher.verify('Marigold 42!', one)).toBe(true)
  expect(await hasher.verify('marigold 42!', one)).toBe(false)
})

it('the password hasher gives the same password the same hash where it takes the salt of another', async () => {
  const hasher = await createPasswordHasher()
  const one = await hasher.hash('Marigold 42!')
  expect(await hasher.hash('Marigold 42!', one)).toBe(one)
  expect(await hasher.hash('marigold 42!', one)).not.toBe(one)
})

it('the password hasher finds a password among hashes of one salt', async () => {
  const hasher = await createPasswordHasher()
  const one = await hasher.hash('Marigold 42!')
  const two = await hasher.hash('Lavender 43!', one)
  expect(await hasher.find('Lavender 43!', [one, two])).toBe(two)
  expect(await hasher.find('Marigold 42!', [two, one])).toBe(one)
  expect(await hasher.find('lavender 43!', [one, two])).toBe(null)
})

it('the password hasher takes a slot for an unknown account as for a known one', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1, maxWaiting: 0 })
  const underWay = hasher.find('no account has this password', [])
  await expect(hasher.find('no account has this password', [])).rejects.toMatchObject({ code: 'busy' })
  expect(await underWay).toBe(null)
})

it('the password hasher queues what exceeds its slots and refuses what exceeds the queue', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1, maxWaiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('Marigold 42!')))
  const outcomes = results.map((result) => (result.status === 'rejected' ? (result.reason as ApiError).code : 'hashed'))
  expect(outcomes).toEqual(['hashed', 'hashed', 'hashed', 'busy', 'busy'])
  await expect(hasher.hash('Marigold 42!')).resolves.toMatch(/^\$argon2id/)
})

it('the password hasher continues after a comparison with an invalid hash', async () => {
  const hasher = await createPasswordHasher({ concurrency: 1 })
  await expect(hasher.verify('Marigold 42!', 'no hash')).rejects.toThrow()
  expect(await hasher.verify('Marigold 42!', await hasher.hash('Marigold 42!'))).toBe(true)
})

const own = ownWords({ name: 'Zoë van der Berg', email: 'zoe.vdberg99@uni.example' })

/** Splits a list of passwords without blanks. */
const words = (list: string) => list.trim().split(/\s+/)

const leaked = words(`
  Password1! Password123! P@ssw0rd123 P@$$w0rd123 Pass@word123 P@ssw0rd123! Pa$$word2026!! Passw0rd12345678!
  Welcome123! Welcome@2024 India@1234 Pakistan@123 Krishna@123 Google@123 Summer2026! January2025! Iloveyou1!
  Abcd@12345 Aa@1234567 Aa123456789! Ab@123456! Qwerty123!@# Qwertyuiop1! 1qaz@WSX3edc !QAZ2wsx3edc 1q2w3e4r5T!
  Zaq12wsx!@ Letmein123! Tru$tno1!!`)
const ownNames = words('Lectern123! L3ctern2026! Zoë12345678! Zoe@1234567 ZoeVanDerBerg1! Vdberg.2026! Zoe-lectern-1')

it.each(leaked)('the list of common passwords refuses %s, which passes the strength rule', async (password) => {
  expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, true])
})

it.each(ownNames)(
  'the list of common passwords refuses %s, made of the own name, address or the product’s',
  async (password) => {
    expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, true])
  },
)

it.each([
  ...words('Tr0ub4dor&3x kX9#mQ2$vL Gr8-lemon-tree'),
  ...['Marigold desk 42!', 'correct Horse 7 battery!', 'Päss wörd 9!', 'Zoë keeps 3 goats!', 'Vdberg desk 42!'],
  'Dragon 83650271946!',
])('the list of common passwords accepts %s', async (password) => {
  expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, false])
})

it('the list of common passwords is checked against the user’s own name and email', async () => {
  expect(await isCommonPassword('Okafor-2026!', own)).toBe(false)
  expect(await isCommonPassword('Okafor-2026!', ownWords({ name: 'Ada Okafor', email: 'ada@uni.example' }))).toBe(true)
})
