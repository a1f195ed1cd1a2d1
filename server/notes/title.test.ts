import { expect, it } from 'vitest'
import { anonymousTitle, titleOfFile } from './title.ts'

it.each([
  ['Linear Algebra.pdf', 'Linear Algebra'],
  ['notes.PDF', 'notes'],
  ['a.pdf.html', 'a.pdf.html'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\week 1.pdf', 'week 1'],
  ['.pdf', 'Untitled'],
  ['', 'Untitled'],
  ['two\r\nlines\u0000.pdf', 'twolines'],
  ['\u202egnp.pdf', 'gnp'],
  ['e\u0301tude.pdf', 'étude'],
  ['📚 notes "final".pdf', '📚 notes "final"'],
  [`${'x'.repeat(300)}.pdf`, 'x'.repeat(200)],
])('calls %j %j', (fileName, title) => {
  expect(titleOfFile(fileName)).toBe(title)
})

it.each([
  ['Zyxwvut_Canaryname_MAT137', 'MAT137'],
  ['MAT137 (zyxwvut canaryname)', 'MAT137'],
  ['zyxwvutcanaryname-week3', 'week3'],
  ['MAT137 by ZYXWVUT – final', 'MAT137 by – final'],
  ['z.canary notes', 'notes'],
  ['Zyxwvut', 'Untitled'],
  ['Linear Algebra (week 1)', 'Linear Algebra (week 1)'],
])('takes the author out of %j', (title, anonymous) => {
  expect(anonymousTitle(title, { name: 'Zyxwvut Cánaryname', email: 'z.canary@uni.example' })).toBe(anonymous)
})
