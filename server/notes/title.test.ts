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

it.each([
  ['1234567_hw3', 'hw3'],
  ['hw3 s1234567', 'hw3'],
  ['MinaLiWeek3', 'Untitled'],
  ['LiMina-week 3', 'week 3'],
  ['week 3 mi li', 'week 3 mi'],
  ['Limits and lines', 'Limits and lines'],
  ['MÏNA', 'Untitled'],
  ['m i n a', 'm i n a'],
])('takes a short name and a student number out of %j', (title, anonymous) => {
  expect(anonymousTitle(title, { name: 'Mina Li', email: 's1234567@uni.example' })).toBe(anonymous)
})
