import { phrases } from './phrases.ts'

/** The people of the demo library, and how they write their names where the Latin alphabet is expected. */
const students = phrases('students').map((line) => {
  const [name = '', latin = name] = line.split(' | ')
  return { name, latin }
})

/** The first is the one whose login is printed. */
export const studentNames = students.map(({ name }) => name)
export const latinName = (name: string): string => students.find((one) => one.name === name)?.latin ?? name

const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', đ: 'd', ß: 'ss', æ: 'ae' }

/** `Łukasz Wójcik` has `lukasz.wojcik@student.example`; nobody receives mail there (RFC 2606). */
export function emailOf(name: string): string {
  const plain = latinName(name)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[łøıđßæ]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z ]/g, '')
  const words = plain.split(' ')
  return `${[words[0], words.at(-1)].join('.')}@student.example`
}
