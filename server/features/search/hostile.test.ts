import { beforeAll, expect, it } from 'vitest'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { createLibrary, search } from '../../testing/search-fixtures.ts'

const test = await openTestApp()
let reader: TestUser
beforeAll(async () => {
  reader = await createUser(test)
  await createLibrary(test, [{ title: 'Logic and sets', pages: ['logic, sets and "quotes" \\ %'] }])
})

it.each([
  ...["logic' | 'sets", 'logic & !sets', 'logic:*', '"logic', 'logic" sets"', 'logic <-> sets', '(logic sets'],
  ...["'logic' sets", 'logic \\ sets', '!logic', '*logic', 'logic %_ sets', 'logic’ “sets”'],
])('a search bears %s, which is words and nothing else', async (text) => {
  const response = await search(test, reader, { text })
  expect(response.statusCode).toBe(200)
  expect(response.json().hits).toHaveLength(1)
})

it.each([
  ['200 emoji', '🎓'.repeat(200)],
  ['200 emoji apart', '🎓 '.repeat(100)],
  ['a word of 200 letters', 'x'.repeat(200)],
  ['100 words', 'a '.repeat(100)],
  ['50 different words', Array.from({ length: 50 }, (_, n) => `w${n}`).join(' ')],
  ['a long run', '微'.repeat(200)],
  ['many phrases', '"a b" '.repeat(33)],
  ['quotes', '"'.repeat(199)],
  ['accents', `e${'\u0301'.repeat(190)}`],
  ['signs', '+#^%.'.repeat(40)],
  ['symbols', '∑∫√≠∞'.repeat(40)],
  ['numbers', '1234567890 '.repeat(18)],
])('a search bears %s', async (_name, text) => {
  expect([200, 400]).toContain((await search(test, reader, { text })).statusCode)
})

it.each([
  ['no text', {}],
  ['a blank', { text: '  ' }],
  ['203 characters', { text: 'x'.repeat(203) }],
  ['an unknown order', { text: 'a', sortBy: 'x' }],
  ['its own cursor', { text: 'a', cursor: 'x' }],
  ['a cursor that is no object', { text: 'a', cursor: Buffer.from('[1]').toString('base64url') }],
  ['a cursor out of range', { text: 'a', cursor: Buffer.from('{"id":"x","score":1e99}').toString('base64url') }],
])('a search bears %s, and refuses it', async (_name, query) => {
  const response = await search(test, reader, query as Record<string, string>)
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
})

it.each(['relevance', 'createdAt', 'likes'])('a search bears cursors by %s that no answer gave', async (sortBy) => {
  const forge = (last: object) => Buffer.from(JSON.stringify(last)).toString('base64url')
  const last = { id: reader.id, createdAt: '2026-01-01T00:00:00.000Z', likes: 5, score: 5, isPartial: false }
  for (const forged of [
    { ...last, createdAt: '0000-01-01T00:00:00.000Z' },
    { ...last, createdAt: '9999-12-31T23:59:59.999Z', likes: -1, score: 2 ** 31 - 1 },
    { ...last, createdAt: '0000-02-29T00:00:00.000Z', likes: 2 ** 31 - 1, score: -(2 ** 31), isPartial: true },
  ]) {
    const response = await search(test, reader, { text: 'logic', sortBy, cursor: forge(forged) })
    expect(response.statusCode, response.body).toBe(200)
  }
})

it('a search bears pages of any kind', async () => {
  const pages = [
    '',
    ' \n\t ',
    'x'.repeat(100_000),
    `${'word '.repeat(20_000)}needle`,
    '🎓'.repeat(1_000),
    'nul \0 byte needle',
    `${'é'.normalize('NFD')} needle ${'\u0301'.repeat(1_000)}`,
    Array.from({ length: 30_000 }, (_, n) => `w${n}`).join(' '),
    "it's | a 'quoted' & \\back\\slashed needle",
  ]
  const { ask } = await createLibrary(test, [{ title: 'Odd', pages }])
  const { hits } = await ask('needle')
  expect(hits).toHaveLength(1)
  expect(hits[0]?.snippets).toHaveLength(3)
  for (const { parts } of hits[0]?.snippets ?? []) {
    const text = parts.map((part) => part.text).join('')
    expect(text.length).toBeLessThan(400)
    expect(parts.some((part) => part.isMatch && part.text === 'needle')).toBe(true)
  }
  expect((await ask('w29999')).hits).toHaveLength(1)
})

it('a search bears more words than PostgreSQL takes of a text, of which the rarest are left out', async () => {
  const word = (n: number) => `${n.toString(36)}${'x'.repeat(50)}`
  const pages = Array.from({ length: 30 }, (_, page) =>
    Array.from({ length: 1_500 }, (_, n) => word(page * 1_500 + n)).join(' '),
  )
  const { ask } = await createLibrary(test, [{ title: 'Long', pages: [...pages, 'frequent frequent'] }])
  expect((await ask('frequent')).hits).toHaveLength(1)
})
