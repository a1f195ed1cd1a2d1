import { expect, it } from 'vitest'
import { placeholderText } from './placeholder-text.ts'

it.each([
  ['Week 7', 'MAT137', '7'],
  ['Lecture 12 – Fourier series', 'MAT137', '12'],
  ['CSC148 Week 3', 'CSC148', '3'],
  ['CSC 148 trees and heaps', 'csc148', 'ta'],
  ['Fourier series', 'MAT137', 'Fs'],
  ['Exam 2024', 'MAT137', 'E2'],
  ['Heaps', 'CSC148', 'He'],
  ['CSC148', 'CSC148', ''],
  ['é́motions', 'MAT137', 'é́m'],
  ['線形代数学', '数学137', '線形'],
  ['คำนวณ', 'MAT137', 'คำน'],
  ['🦉', 'MAT137', ''],
])('of %s in %s: %s', (title, courseCode, mark) => expect(placeholderText(title, courseCode)).toBe(mark))
