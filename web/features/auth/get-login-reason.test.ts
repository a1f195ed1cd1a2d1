import { expect, it } from 'vitest'
import { getLoginReason } from './get-login-reason.ts'

it.each([
  ['/notes/3b1f?page=4&quote=x', 'to read this note'],
  ['/people/3b1f', 'to see this author’s notes'],
  ['/browse', 'to browse notes'],
  ['/browse?title=limits', 'to browse notes'],
  ['/browse?courseCode=csc148', 'to see notes for CSC148'],
  ['/browse?courseCode=MAT%20137-H', 'to see notes for MAT 137-H'],
  ['/courses/CSC148?year=2025', 'to see notes for CSC148'],
  ['/courses', 'to browse courses'],
  ['/courses/%3Cb%3E', null],
  // Anyone can craft an address, so its text must not appear on the login page.
  ['/browse?courseCode=x%20or%20call%200900%20123', 'to browse notes'],
  ['/browse?courseCode=%3Cb%3E', 'to browse notes'],
  ['/my-notes', 'to see your notes'],
  ['/', null],
  ['/nowhere', null],
])('%s: %s', (next, text) => expect(getLoginReason(next)).toBe(text))
