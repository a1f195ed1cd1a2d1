import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import { foldLetters } from '../../../../packages/contract/fold.ts'
import { tokenise } from '../../../../packages/contract/words.ts'
import { foldWords, pageWords, toQueryWords } from './fold.ts'

it.each([
  ['Linear Algebra I', ['linear', 'algebra', 'i']],
  ['Théorie des GRAPHES', ['theorie', 'des', 'graphes']],
  ['MAT137_week-3 (final)', ['mat137', 'week', '3', 'final', 'week3']],
  ['Euler’s formula, Euler', ['euler', 'formula']],
  ['L’Hôpital, l’entropie, O’Brien', ['hopital', 'entropie', 'o', 'brien', 'obrien']],
  ['right-hand rule', ['right', 'hand', 'rule', 'righthand']],
  ['resource-\nallocation', ['resourceallocation', 'resource', 'allocation']],
  ['교착 상태', ['교착', '착상', '상태', '태']],
  ['第2章', ['第2', '2章', '章']],
  ['ปริมาณ', ['ปริ', 'ริมา', 'มาณ', 'ณ']],
  ['H₂O, mc², 0.05', ['h2o', 'mc2', '0.05']],
  ['O(n log n)', ['o', 'n', 'log', 'onlogn']],
  ['λ, ∇·E >>= §', ['λ', 'e', 'lambda', '∇', '>>=', '§']],
  ['ﬁeld Ⅳ', ['field', 'iv']],
  ['Ελληνικά 微分', ['ελληνικα', '微分', '分']],
  ['…!', []],
  ['Straße STRASSE strasse', ['strasse']],
  ['Sørensen Łódź Đorđe Æther cœur', ['sorensen', 'lodz', 'dorde', 'aether', 'coeur']],
  ['Iğdır IĞDIR', ['igdir']],
  ['ΟΔΟΣ οδος ΟΔΟΣΗΜΑ', ['οδοσ', 'οδοσημα']],
  ['x'.repeat(65), ['x'.repeat(64)]],
  ['㌀'.repeat(200), ['アパ', 'パー', 'ート', 'トア', 'ト']],
  ['C++, C# and F# on .NET', ['c', 'and', 'f', 'on', 'net', 'c++', 'c#', 'f#', '.net']],
  ['a+b', ['a', 'b', '+']],
  ['x^2, x², e^{x}', ['x2', 'ex']],
  ['pK_a, E_{a} and week_2', ['pka', 'ea', 'and', 'week', '2']],
  ['NAD^+, NAD⁺, Na^{+}', ['nad', 'na', 'nad+', 'na+']],
  ['100%', ['100', '100%', '%']],
  ['CSC 108 and mat-137H1', ['csc', '108', 'and', 'mat', '137h1', 'mat137h1', 'csc108']],
  ["'x' & !y | <-> :*", ['x', 'y', '&', '<->', ':*']],
])('finds %j by %j', (text, words) => {
  expect(foldWords(text)).toEqual(words)
})

it.each([
  ['मीना', 'मनु'],
  ['ปี', 'ปู'],
  ['か', 'が'],
  ['काल', 'कला'],
  ['й', 'и'],
])('keeps %s and %s apart', (one, other) => {
  expect(foldLetters(one).text).not.toBe(foldLetters(other).text)
})

it.each(['cs 101', 'CS-101', 'Cs‑1 0 1', 'ＣＳ101'])('sees CS101 in %j', (code) => {
  expect(foldCourseCode(code)).toBe('CS101')
})

it.each<[string, string[]]>([
  ['logic & sets', ['logic', 'sets']],
  ['%', ['%']],
  ['c++', ['c', 'c++']],
  ['微分方程', ['微分', '分方', '方程']],
  ['微', ['微']],
  ['…!', []],
])('looks in %j for %j', (text, words) => {
  expect(toQueryWords(text)).toEqual(words)
})

it.each([
  ['A deri-\nvative of x²', ' a derivative of x2 | deri vative '],
  ['ef\u00adﬁ\u00adcient', ' efficient | '],
  ['数学 a', ' 数学 学 a | '],
  ['', '  | '],
])('keeps of the page %j %j', async (text, words) => {
  expect(await pageWords(text)).toBe(words)
})

const text = [
  'As in CSC 108 and MAT - 137 we take the deri-\nvative of x², of C++ 11 and of e^{x}; 数学很好\n微分 方程 12 %',
  'naïve Œuvres d’Euler -\n - 3.NET e\u0301tude\u00ad s 100 % α-\r\n  β λ 50 \u{1d465}\u{1d466} ﬁn',
].join('\n')

it('a long page is found by the same words as if it were folded in one piece, wherever it is cut', async () => {
  for (let shift = 0; shift < 250; shift += 3) {
    const page = `${'x'.repeat(shift)} ${`${text}\n`.repeat(40)}`
    const { words, extraTokens } = tokenise(page)
    const beside = new Set(extraTokens.map(({ word }) => word))
    const atOnce = ` ${words.map(({ word }) => word).join(' ')} |${[...beside].map((word) => ` ${word}`).join('')} `
    expect(await pageWords(page), `shifted by ${shift}`).toBe(atOnce)
  }
})

const parts = ['数', 'a^{a', 'x²', '+', 'x', '\u{1d465}', 'CSC 108 ', 'a-\n', ' ']
it.each(parts)('a long page of %j is folded in many rounds of the event loop', async (part) => {
  let rounds = 0
  let isOver = false
  const countRounds = async () => {
    for (; !isOver; rounds++) await setImmediate()
  }
  const counting = countRounds()
  expect((await pageWords(part.repeat(100_000 / part.length))).isWellFormed()).toBe(true)
  isOver = true
  await counting
  expect(rounds).toBeGreaterThan(30)
})
