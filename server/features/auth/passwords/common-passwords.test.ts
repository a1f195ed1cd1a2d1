import { expect, it } from 'vitest'
import { isStrongPassword } from '../../../../packages/contract/password-rules.ts'
import { isCommonPassword, ownWords } from './common-passwords.ts'

const own = ownWords({ name: 'Zoë van der Berg', email: 'zoe.vdberg99@uni.example' })

/** Splits a list of passwords without blanks. */
const words = (list: string) => list.trim().split(/\s+/)

const leaked = words(`
  Password1! Password123! P@ssw0rd123 P@$$w0rd123 Pass@word123 P@ssw0rd123! Pa$$word2026!! Passw0rd12345678!
  Welcome123! Welcome@2024 India@1234 Pakistan@123 Krishna@123 Google@123 Summer2026! January2025! Iloveyou1!
  Abcd@12345 Aa@1234567 Aa123456789! Ab@123456! Qwerty123!@# Qwertyuiop1! 1qaz@WSX3edc !QAZ2wsx3edc 1q2w3e4r5T!
  Zaq12wsx!@ Letmein123! Tru$tno1!!`)
const ownNames = words('Lectern123! L3ctern2026! Zoë12345678! Zoe@1234567 ZoeVanDerBerg1! Vdberg.2026! Zoe-lectern-1')

it.each(leaked)('refuses %s, which passes the strength rule', async (password) => {
  expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, true])
})

it.each(ownNames)('refuses %s, which is made of the own name, the own address or the product’s', async (password) => {
  expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, true])
})

it.each([
  ...words('Tr0ub4dor&3x kX9#mQ2$vL Gr8-lemon-tree'),
  ...['Marigold desk 42!', 'correct Horse 7 battery!', 'Päss wörd 9!', 'Zoë keeps 3 goats!', 'Vdberg desk 42!'],
  'Dragon 83650271946!',
])('accepts %s', async (password) => {
  expect([isStrongPassword(password), await isCommonPassword(password, own)]).toEqual([true, false])
})

it('is checked against the user’s own name and email', async () => {
  expect(await isCommonPassword('Okafor-2026!', own)).toBe(false)
  expect(await isCommonPassword('Okafor-2026!', ownWords({ name: 'Ada Okafor', email: 'ada@uni.example' }))).toBe(true)
})
