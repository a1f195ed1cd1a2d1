import { expect, test } from 'vitest'
import { isStrongPassword, passwordRules } from './password-rules.ts'

test.each([
  ['Str0ng!Passw0rd', []],
  ['Emoji🙂Counts12', []],
  ['short1!A', ['At least 10 characters']],
  ['alllowercase1!', ['One uppercase letter']],
  ['ALLUPPERCASE1!', ['One lowercase letter']],
  ['NoNumbersHere!', ['One number']],
  ['NoSymbols1234', ['One symbol']],
  ['Spaces Are No Symbol1', ['One symbol']],
  ['', ['At least 10 characters', 'One uppercase letter', 'One lowercase letter', 'One number', 'One symbol']],
])('%j lacks %j', (password, lacking) => {
  expect(passwordRules.filter(({ isMet }) => !isMet(password)).map(({ text }) => text)).toEqual(lacking)
  expect(isStrongPassword(password)).toBe(lacking.length === 0)
})
