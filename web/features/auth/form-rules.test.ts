import { expect, test } from 'vitest'
import { lowerCaseInPlace } from '../../platform/ui/fields.tsx'
import { displayMessage, firstMessage } from './form-errors.ts'

test('firstMessage reports missing fields before wrong ones', () => {
  const errors = {
    email: { message: 'Please enter a valid email address' },
    password: { message: 'Please fill in all fields' },
  }
  expect(firstMessage(errors)).toBe('Please fill in all fields')
})
test('firstMessage else keeps to the order of the fields', () =>
  expect(firstMessage({ name: undefined, email: { message: 'first' }, password: { message: 'second' } })).toBe('first'))
test('firstMessage is undefined where nothing is wrong', () => expect(firstMessage({})).toBeUndefined())

test('an empty message is not announced', () => {
  expect(displayMessage('An error occurred')).toBe('Something went wrong. Please try again later.')
  expect(displayMessage('Invalid email or password')).toBe('Invalid email or password')
})

test('lower-casing leaves the caret where it is', () => {
  const input = {
    value: 'adA@example.org',
    selectionStart: 3,
    selectionEnd: 3,
    setSelectionRange(start: number | null, end: number | null) {
      Object.assign(this, { selectionStart: start, selectionEnd: end, placed: true })
    },
  }
  lowerCaseInPlace(input)
  expect(input).toMatchObject({ value: 'ada@example.org', selectionStart: 3, selectionEnd: 3, placed: true })
})
