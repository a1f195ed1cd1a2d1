import { expect, it } from 'vitest'
import { withoutPart } from './without-part.ts'

it.each([
  ['fourier seriess', 'seriess', 'fourier'],
  ['fourier, seriess!', 'fourier', ', seriess!'],
  ['csc 108 arrays', 'csc 108', 'arrays'],
  ['Fourier "heat equation" rods', '"heat equation"', 'Fourier rods'],
  ['Fourier “heat equation ” rods', '"heat equation"', 'Fourier rods'],
  ['"heat equation" equation', 'equation', '"heat equation"'],
  ['C++ templates', 'C++', 'templates'],
  ['limits of a limit', 'limit', 'limits of a'],
  ['"never closed', '"never closed"', ''],
  ['limits', 'series', 'limits'],
])('%s without %s reads %s', (text, part, left) => {
  expect(withoutPart(text, part)).toBe(left)
})
