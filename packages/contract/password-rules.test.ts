import { expect, test } from 'vitest'
import { isStrongPassword, passwordRules } from './password-rules.ts'

test.each([
  ['Str0ng!Passw0rd', []],
  ['Ünïcode-Gehört-Dazu1', []],
  ['Emoji🙂Counts12', []],
  ['short1!A', ['10 characters']],
  ['alllowercase1!', ['an uppercase letter']],
  ['ALLUPPERCASE1!', ['a lowercase letter']],
  ['NoNumbersHere!', ['a number']],
  ['NoSymbols1234', ['a symbol']],
  ['Spaces Are No Symbol1', ['a symbol']],
  ['', ['10 characters', 'an uppercase letter', 'a lowercase letter', 'a number', 'a symbol']],
])('%j lacks %j', (password, lacking) => {
  expect(passwordRules.filter(({ isMet }) => !isMet(password)).map(({ text }) => text)).toEqual(lacking)
  expect(isStrongPassword(password)).toBe(lacking.length === 0)
})
