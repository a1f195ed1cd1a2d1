import { expect, it } from 'vitest'
import { throttleErrors } from './log.ts'

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Fails once a second for `seconds`. @returns the second and the error count of each report. */
function fail(seconds: number) {
  const reported: [number, number][] = []
  let second = 0
  const report = throttleErrors(
    (_, times) => reported.push([second, times]),
    () => second * 1_000,
  )
  for (; second < seconds; second++) report(away)
  return reported
}

it('repeats a lasting error at growing intervals, with its count', () => {
  expect(Object.fromEntries(fail(75))).toEqual({ 0: 1, 10: 10, 30: 20, 70: 40 })
  const day = fail(24 * 3600)
  expect(day.length).toBeGreaterThan(100)
  expect(day.length).toBeLessThan(160)
})

it('reports another error immediately, and the same one when it comes back', () => {
  const reported: string[] = []
  let now = 0
  const report = throttleErrors(
    (error) => reported.push(error.message),
    () => now,
  )
  report(away)
  report(new Error('No space left'))
  report(away)
  now += 600_000
  report(away)
  expect(reported).toEqual(['connect ECONNREFUSED', 'No space left', 'connect ECONNREFUSED'])
})
