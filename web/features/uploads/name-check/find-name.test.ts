import { describe, expect, it } from 'vitest'
import { createNameMatcher, mentionsAuthor } from './find-name.ts'
import names from './names.json' with { type: 'json' }

const found = (text: string, name = 'Zoë Marie Qänarywoman', email = 'z.qanary@uni.example') =>
  createNameMatcher({ name, email })(text).map(({ start, end }) => text.slice(start, end))

it('finds an address with any characters', () =>
  expect(found('ask z.q+a@uni.example, not zzqaa@uni.example', 'Zoë', 'z.q+a@uni.example')).toEqual([
    'z.q+a@uni.example',
  ]))

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
  ])('%j names it', (text, hit) => expect(found(text)).toEqual([hit]))

  it.each([
    'Zoë alone',
    'the Qänarywoman theorem',
    'Marie Curie',
    'z. B. quantum',
    'Zoë is here. And so is Qänarywoman',
    '',
  ])('%j does not', (text) => expect(found(text)).toEqual([]))

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

/** What surrounds a name in languages that write it without spaces. */
const unspaced: Record<string, { before: string; after: string; ending: string; topic: string }> = {
  Chinese: { before: '这是由', after: '在去年冬天整理的', ending: '的笔记', topic: '说：' },
  Japanese: { before: 'これは', after: 'が昨年の冬にまとめた資料です', ending: 'のノート', topic: 'は' },
  Korean: { before: '이 자료는 ', after: '이 지난 겨울에 정리했습니다', ending: '의 노트', topic: '은' },
}

/** Returns ten kinds of sentence in which a name can occur on a page. */
function sentences(language: string, name: string, email: string): string[] {
  const parts = name.split(' ')
  const [first = '', rest] = [parts[0], parts.slice(1).join(' ')]
  const around = unspaced[language]
  if (around) {
    const joined = parts.join('')
    return [
      `${joined}${around.ending}`,
      `${around.before}${joined}${around.after}`,
      `${joined}${around.topic}`,
      `(${joined})`,
      `2026 ${joined} 3`,
      `${[...joined].join(' ')}`,
      `${joined.slice(0, 1)}\n${joined.slice(1)}`,
      `${around.before}${name}${around.after}`,
      `${joined}@Lectern`,
      `→ ${email} ←`,
    ]
  }
  const endings: Record<string, string> = {
    German: 's',
    Swedish: 's',
    Polish: 'a',
    Czech: 'a',
    Russian: 'а',
    Greek: 'ς',
    Turkish: '’ın',
    Finnish: 'n',
    English: '’s',
  }
  const prefix: Record<string, string> = { Arabic: 'ل', Hebrew: 'ל' }
  const ofTwo = parts.filter((part) => part.length > 3 || part === first)
  const long = ofTwo.length < 2 ? parts : ofTwo.slice(0, 2)
  return [
    `Notes: ${name}’s lecture notes, 2026.`,
    `Written by ${rest}, ${first} for week 3`,
    prefix[language] ? `${prefix[language]}${name} 3` : `Group 4: ${first[0]}. ${rest} (2026)`,
    `HOMEWORK 3\n${name.toUpperCase()}`,
    `by ${first}\n${rest}, page 1`,
    prefix[language] ? `«${name}»` : `${first} B. ${rest} proved it`,
    parts.length > 2 ? `${long.join(' ')} said` : `${name}, thank you`,
    `${first}_${parts.at(-1)}_hw3.pdf`.toLowerCase(),
    `(${name}${endings[language] ?? ''})`,
    `write to ${email}, please`,
  ]
}

/** Fifteen names of each language, given name first unless the language writes the family name first. */
const authors = Object.entries(names).flatMap(([language, ofLanguage]) =>
  ofLanguage.map((name, at) => ({ language, name, email: `s${at}@uni.example` })),
)

it('finds 300 names of 20 languages in ten kinds of sentence, and takes no other name for them', () => {
  const [missed, mistaken]: [string[], string[]] = [[], []]
  for (const [at, author] of authors.entries()) {
    const find = createNameMatcher(author)
    for (const sentence of sentences(author.language, author.name, author.email)) {
      if (find(sentence).length === 0) missed.push(`${author.name}: ${sentence}`)
    }
    const other = authors[(at + 7) % authors.length]
    if (!other) throw new Error('There are no authors')
    for (const sentence of sentences(other.language, other.name, other.email)) {
      if (find(sentence).length > 0) mistaken.push(`${author.name}: ${sentence}`)
    }
  }
  expect(authors).toHaveLength(300)
  expect([missed.length <= 30, missed]).toEqual([true, missed])
  expect([mistaken.length <= 30, mistaken]).toEqual([true, mistaken])
})
