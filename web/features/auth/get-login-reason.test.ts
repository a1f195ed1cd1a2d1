import { expect, it } from 'vitest'
import { getLoginReason } from './get-login-reason.ts'

it.each([
  ['/notes/3b1f?page=4&quote=x', 'to read this note'],
  ['/people/3b1f', 'to see what this author shares'],
  ['/browse', 'to browse notes'],
  ['/browse?title=limits', 'to browse notes'],
  ['/browse?courseCode=csc148', 'to see the notes of CSC148'],
  ['/browse?courseCode=MAT%20137-H', 'to see the notes of MAT 137-H'],
  ['/courses/CSC148?year=2025', 'to see the notes of CSC148'],
  ['/courses', 'to see the courses'],
  ['/courses/%3Cb%3E', null],
  // Anyone can craft an address, so its text must not appear on the login page.
  ['/browse?courseCode=x%20or%20call%200900%20123', 'to browse notes'],
  ['/browse?courseCode=%3Cb%3E', 'to browse notes'],
  ['/my-notes', 'to see your notes'],
  ['/', null],
  ['/nowhere', null],
])('%s: %s', (next, text) => {
  expect(getLoginReason(next)).toBe(text)
})
