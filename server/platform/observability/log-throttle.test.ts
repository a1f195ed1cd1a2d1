import { expect, it } from 'vitest'
import { throttleErrors } from './log.ts'

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Fails once a second for `seconds`. @returns the second and the error count of each report. */
function fail(seconds: number) {
  const told: [number, number][] = []
  let second = 0
  const report = throttleErrors(
    (_, times) => told.push([second, times]),
    () => second * 1_000,
  )
  for (; second < seconds; second++) report(away)
  return told
}

it('says again what stays, at growing intervals, and how often it was', () => {
  expect(Object.fromEntries(fail(75))).toEqual({ 0: 1, 10: 10, 30: 20, 70: 40 })
  const day = fail(24 * 3600)
  expect(day.length).toBeGreaterThan(100)
  expect(day.length).toBeLessThan(160)
})

it('tells another error at once, and the same one when it comes back', () => {
  const told: string[] = []
  let now = 0
  const report = throttleErrors(
    (error) => told.push(error.message),
    () => now,
  )
  report(away)
  report(new Error('No space left'))
  report(away)
  now += 600_000
  report(away)
  expect(told).toEqual(['connect ECONNREFUSED', 'No space left', 'connect ECONNREFUSED'])
})
