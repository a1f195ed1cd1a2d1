import { expect, it } from 'vitest'
import { isStrongPassword } from '../../contract/password-rules.ts'
import { isCommonPassword } from './common.ts'

it.each([
  'Password1!',
  'Password123!',
  'P@ssw0rd123!',
  'Welcome123!',
  'Qwerty123!@#',
  'Summer2026!',
  'Iloveyou1!',
  'Letmein123!',
])('refuses %s, which passes the strength rule', (password) => {
  expect(isStrongPassword(password)).toBe(true)
  expect(isCommonPassword(password)).toBe(true)
})

it.each(['Marigold desk 42!', 'correct Horse 7 battery!', 'Tr0ub4dor&3x'])('accepts %s', (password) => {
  expect(isStrongPassword(password)).toBe(true)
  expect(isCommonPassword(password)).toBe(false)
})
