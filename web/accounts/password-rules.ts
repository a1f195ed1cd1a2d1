import { passwordLength } from '../../contract/limits.ts'

/** The strength rule of SPEC.md section 5, one condition at a time; together they are the contract's `isStrongPassword`. */
export const passwordRules: { text: string; isMet: (password: string) => boolean }[] = [
  { text: `${passwordLength.min} characters`, isMet: (password) => [...password].length >= passwordLength.min },
  { text: 'an uppercase letter', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'a lowercase letter', isMet: (password) => /\p{Ll}/u.test(password) },
  { text: 'a number', isMet: (password) => /\p{Nd}/u.test(password) },
  { text: 'a symbol', isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
]
