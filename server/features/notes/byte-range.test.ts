import { expect, it } from 'vitest'
import { readByteRange } from './send-note-file.ts'

const whole = { start: 0, end: 99 }

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', whole],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-100', whole],
  ['bytes=-5000', whole],
  ['bytes=50-5000', { start: 50, end: 99 }],
  ['Bytes= 5-9 ', { start: 5, end: 9 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  [`bytes=${'0-,'.repeat(1000)}0-`, whole],
  ['bytes=10-19,20-29,0-9', { start: 0, end: 29 }],
  ['bytes=10-19,20-29,15-40', { start: 10, end: 40 }],
  ['bytes=5-2', 'unsatisfiable'],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=1e9-', null],
  [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  ['bytes=200-300,0-4', { start: 0, end: 4 }],
  ['bytes=0-0,50-60', null],
  ['bytes=', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['bytes=1--2', null],
  ['pages=1-2', null],
  ['', null],
  [undefined, null],
])('reads %j of a hundred bytes', (header, range) => {
  expect(readByteRange(header, 100)).toEqual(range)
})
