import { describe, expect, it } from 'vitest'
import { createNameMatcher, mentionsAuthor } from './find-name.ts'

const found = (text: string, name = 'Zoë Marie Qänarywoman', email = 'z.qanary@uni.example') =>
  createNameMatcher({ name, email })(text).map(({ start, end }) => text.slice(start, end))

describe('a student’s name in a text', () => {
  it.each([
    ['by Zoë Marie Qänarywoman, 2026', 'Zoë Marie Qänarywoman'],
    ['ZOE QANARYWOMAN', 'ZOE QANARYWOMAN'],
    ['Qa\u0308narywoman, Zoe', 'Qa\u0308narywoman, Zoe'],
    ['Qänarywoman Zoë Marie', 'Qänarywoman Zoë Marie'],
    ['Zoë\nQänarywoman', 'Zoë\nQänarywoman'],
    ['Zoë Qänary\u00adwoman', 'Zoë Qänary\u00adwoman'],
    ['Zoë \u200e Qänarywoman', 'Zoë \u200e Qänarywoman'],
    ['Z. Qänarywoman', 'Z. Qänarywoman'],
    ['Z. M. Qänarywoman', 'Z. M. Qänarywoman'],
    ['Qänarywoman, Z.', 'Qänarywoman, Z'],
    ['mail z.qanary@uni.example', 'z.qanary@uni.example'],
    ['z.qanary on the forum', 'z.qanary'],
    ['Zoë Marie Qänarywoman’s notes', 'Zoë Marie Qänarywoman'],
    ['Zoë Marie said so', 'Zoë Marie'],
    ['zoeqanarywoman on the forum', 'zoeqanarywoman'],
    ['account zqanarywoman', 'zqanarywoman'],
  ])('%j names it', (text, hit) => {
    expect(found(text)).toEqual([hit])
  })

  it.each([
    'Zoë alone',
    'the Qänarywoman theorem',
    'Marie Curie',
    'z. B. quantum',
    'Zoë is here. And so is Qänarywoman',
    '',
  ])('%j does not', (text) => {
    expect(found(text)).toEqual([])
  })

  it('finds every place, a student number and a name of one word, but no short address', () => {
    expect(found('Zoë Qänarywoman and Z. Qänarywoman')).toHaveLength(2)
    expect(found('Student 1234567, hw 3', 'Mina', 's1234567@uni.example')).toEqual(['1234567'])
    expect(found('Mina did this, not Minamata', 'Mina', 's1@uni.example')).toEqual(['Mina'])
    expect(found('we see that mi is small', 'Mi Li', 'mi@uni.example')).toEqual([])
    expect(found('write to mi@uni.example', 'Mi Li', 'mi@uni.example')).toEqual(['mi@uni.example'])
  })
})

it.each([
  ['Limits, by Qänarywoman', true],
  ['limits of zoe', true],
  ['QANARY week 3', true],
  ['zoeqanarywoman-limits', true],
  ['Z is a set of numbers', false],
  ['Limits and series', false],
])('a title %j names a student: %j', (title, isNamed) => {
  expect(mentionsAuthor(title, { name: 'Zoë Marie Qänarywoman', email: 'z.qanary@uni.example' })).toBe(isNamed)
})
