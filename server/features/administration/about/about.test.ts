import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { roundDown } from './library-size.ts'

const test = await openTestApp()
const operatorName = 'Maths students’ council'
const operatorText = 'Room 12.\n\n<b>Write</b> to council@uni.example.'
const operated = await openTestAppOn(test, { OPERATOR_NAME: operatorName, OPERATOR_TEXT: operatorText })

it('shows a visitor of a new instance no notes and no operator', async () => {
  const response = await test.app.inject('/api/about')
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ notes: 0, courses: 0, operatorName: null, operatorText: null })
  expect(response.headers['cache-control']).toBe('public, max-age=600')
})

it('rounds the counts, counts once for many requests, and returns the operator’s text unchanged', async () => {
  const owner = await createUser(test, { name: 'Zacharias Quimby' })
  const create = (_: unknown, at: number) =>
    createNote(test, owner, { courseCode: `CSC${at % 11}`, isAnonymous: at % 2 === 0 })
  const share = (count: number) => Promise.all(Array.from({ length: count }, create))
  await share(12)
  // Different spellings of a course count as one course.
  await createNote(test, owner, { courseCode: 'CSC-0' })
  const ask = async () => (await operated.app.inject('/api/about')).json()
  const expected = { notes: 10, courses: 10, operatorName, operatorText }
  expect(await ask()).toEqual(expected)
  await share(20)
  expect(await Promise.all([ask(), ask()])).toEqual([expected, expected])
})

it('rounds a count down to its first two digits, and a small one to tens', () => {
  expect([0, 9, 10, 99, 100, 119, 1_299].map(roundDown)).toEqual([0, 0, 10, 90, 100, 110, 1_200])
})
