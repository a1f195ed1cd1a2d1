import { expect, it } from 'vitest'
import { foldCourseCode } from '../../contract/course-code.ts'
import { foldWords } from './fold.ts'

it.each([
  ['Linear Algebra I', ['linear', 'algebra', 'i']],
  ['Théorie des GRAPHES', ['theorie', 'des', 'graphes']],
  ['MAT137_week-3 (final)', ['mat137', 'week', '3', 'final']],
  ['Euler’s formula, Euler', ['eulers', 'formula', 'euler']],
  ['ﬁeld Ⅳ', ['field', 'iv']],
  ['Ελληνικά 微分', ['ελληνικα', '微分']],
  ['…!', []],
  ['Straße STRASSE strasse', ['strasse']],
  ['Sørensen Łódź Đorđe Æther cœur', ['sorensen', 'lodz', 'dorde', 'aether', 'coeur']],
  ['Iğdır IĞDIR', ['igdir']],
  ['ΟΔΟΣ οδος ΟΔΟΣΗΜΑ', ['οδοσ', 'οδοσημα']],
  ['x'.repeat(65), ['x'.repeat(64)]],
  ['㌀'.repeat(200), ['アハート'.repeat(16)]],
  ["'x' & !y | <-> :*", ['x', 'y']],
])('finds %j by %j', (text, words) => {
  expect(foldWords(text)).toEqual(words)
})

it.each(['cs 101', 'CS-101', 'Cs‑1 0 1', 'ＣＳ101'])('sees CS101 in %j', (code) => {
  expect(foldCourseCode(code)).toBe('CS101')
})
