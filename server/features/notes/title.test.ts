import { expect, it } from 'vitest'
import { createTitle, removeAuthorWords } from './title.ts'

it.each([
  ['Linear Algebra.pdf', 'Linear Algebra'],
  ['notes.PDF', 'notes'],
  ['a.pdf.html', 'a.pdf.html'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\week 1.pdf', 'week 1'],
  ['.pdf', 'Untitled'],
  ['', 'Untitled'],
  ['two\r\nlines\u0000.pdf', 'two lines'],
  ['\u202egnp.pdf\u200b', 'gnp'],
  ['📚 notes "final".pdf', '📚 notes "final"'],
  [`${'x'.repeat(300)}.pdf`, 'x'.repeat(200)],
])('calls %j %j', (fileName, title) => {
  expect(createTitle(fileName)).toBe(title)
})

it.each([
  ['Zyxwvut_Canaryname_MAT137', 'MAT137'],
  ['MAT137 (zyxwvut canaryname)', 'MAT137'],
  ['zyxwvutcanaryname-week3', 'week3'],
  ['MAT137 by ZYXWVUT – final', 'MAT137 by – final'],
  ['z.canary notes', 'notes'],
  ['Zyxwvut', 'Untitled'],
  ['Linear Algebra (week 1)', 'Linear Algebra (week 1)'],
  ['Z\u200byxwvut', 'Untitled'],
  ['Zyx\u200dwvut c\u00adanaryname w1', 'w1'],
  ['Zyx-wvut Canary-name', 'Untitled'],
  ['Zyx wvut2024 hw', 'hw'],
  ['z y x w v u t hw', 'hw'],
  ['Z. Canaryname hw', 'hw'],
  ['hw Canaryname, Z.', 'hw'],
  ['hw Zyxwvut Q. Canaryname', 'hw'],
  ['Canaryname Z', 'Untitled'],
  ['zyxwvut_canary@uni.example', 'Untitled'],
  ['from z.canary@UNI.example 2', 'from 2'],
  ['ask noor@uni.example', 'ask noor@uni.example'],
  // The letter is not an initial of the author.
  ['Algebra I (Canaryname) B', 'Algebra I B'],
  ['Q. notes', 'Q. notes'],
])('takes the author out of %j', (title, anonymous) => {
  expect(removeAuthorWords(title, { name: 'Zyxwvut Cánaryname', email: 'z.canary@uni.example' })).toBe(anonymous)
})

it.each([
  ['1234567_hw3', 'hw3'],
  ['hw3 s1234567', 'hw3'],
  ['MinaLiWeek3', 'Untitled'],
  ['LiMina-week 3', 'week 3'],
  ['week 3 mi li', 'week 3 mi'],
  ['Limits and lines', 'Limits and lines'],
  ['MÏNA', 'Untitled'],
  ['m i n a', 'Untitled'],
  ['term in a nutshell', 'term in a nutshell'],
  ['l i week 3', 'l i week 3'],
])('takes a short name and a student number out of %j', (title, anonymous) => {
  expect(removeAuthorWords(title, { name: 'Mina Li', email: 's1234567@uni.example' })).toBe(anonymous)
})

it.each([
  ...['O Neil w', 'O\u00adNeil w', 'o_neil w', 'ONeil w', 'O’Neil w'],
  ...['Anne Marie w', 'annemarie-oneil w', 'A. M. O’Neil w'],
])('takes a name that is spelled in parts out of %j', (title) => {
  expect(removeAuthorWords(title, { name: "Anne-Marie O'Neil", email: 'amoneil99@uni.example' })).toBe('w')
})
