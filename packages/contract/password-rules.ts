import { passwordLength } from './limits.ts'

/** The strength rule of SPEC.md section 5, one condition at a time, in the words that a form lists. */
export const passwordRules: { text: string; isMet: (password: string) => boolean }[] = [
  {
    text: `At least ${passwordLength.min} characters`,
    isMet: (password) => [...password].length >= passwordLength.min,
  },
  { text: 'One uppercase letter', isMet: (password) => /\p{Lu}/u.test(password) },
  { text: 'One lowercase letter', isMet: (password) => /\p{Ll}/u.test(password) },
  { text: 'One number', isMet: (password) => /\p{Nd}/u.test(password) },
  { text: 'One symbol', isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
]

/** Whether all rules are met. Only the server checks the list of common passwords. */
export const isStrongPassword = (password: string): boolean => passwordRules.every(({ isMet }) => isMet(password))
