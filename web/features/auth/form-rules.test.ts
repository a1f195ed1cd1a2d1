import { expect, test } from 'vitest'
import { firstMessage } from './form-errors.ts'

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
