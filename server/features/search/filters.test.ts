import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { courseFilters, type FilterName, filterNames } from '../../../packages/contract/search.ts'
import { createNote, createUser, type NoteValues, openTestApp } from '../../testing/app.ts'
import { rate } from '../../testing/students.ts'
import { filters } from './filters.ts'

/** For each filter, what a note has, a value that finds it, and one that does not. */
const cases: Record<FilterName, { has: NoteValues; found: string; missed: string }> = {
  title: { has: { title: 'Quokkas at dusk' }, found: 'dusk quok', missed: 'dawn' },
  courseCode: { has: { courseCode: 'ZOO 77' }, found: 'zoo7', missed: 'zoo8' },
  academicYear: { has: { academicYear: '2024–25' }, found: '2024-25', missed: '2023-24' },
  instructor: { has: { instructor: 'Prof. Xu' }, found: 'prof. XU', missed: 'noor' },
}

const test = await openTestApp()
const { db } = test.deps
const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
const noteId = await createNote(test, owner, Object.assign({}, ...Object.values(cases).map(({ has }) => has)))
await createNote(test, reader, { title: 'Quokkas' })
await rate(test, reader, noteId, { likes: '+' })

/** Returns the number of notes that a list, a count or a search finds. */
async function count(path: string, query: Record<string, string>, user = reader): Promise<number> {
  const response = await test.app.inject({ url: `/api/${path}?${new URLSearchParams(query)}`, headers: user.auth })
  expect(response.statusCode, response.body).toBe(200)
  const { notes, hits, count } = response.json()
  return count ?? (hits ?? notes).length
}

const all = Object.fromEntries(filterNames.map((name) => [name, cases[name].found]))

it.each(filterNames)('%s filters every list, its count, searches and courses', async (name) => {
  const { found, missed } = cases[name]
  for (const [value, others, expected] of [
    [found, {}, 1],
    [found, all, 1],
    [missed, {}, 0],
    [missed, all, 0],
  ] as const) {
    const query = { ...others, [name]: value }
    expect(await count('notes', query)).toBe(expected)
    expect(await count('users/me/notes', query, owner)).toBe(expected)
    expect(await count('users/me/notes/liked', query)).toBe(expected)
    for (const scope of ['all', 'liked']) {
      expect(await count('notes/count', { scope, ...query })).toBe(expected)
      expect(await count('search', { scope, text: 'quokkas', ...query })).toBe(expected)
    }
    if (name in courseFilters) expect(await count('courses/ZOO77/notes', { [name]: value })).toBe(expected)
    const { operator } = filters[name]
    if (operator) expect(await count('search', { text: `quokkas ${operator.name}:"${value}"` })).toBe(expected)
  }
})

it('the database has the keys and the indexes of the filters', async () => {
  const levelsOf = async (keys: ReturnType<typeof sql>) =>
    (await sql<{ prefix: string }>`SELECT DISTINCT left(key, 1) AS prefix FROM ${keys} AS key ORDER BY 1`.execute(db))
      .rows
  const declared = Object.values(filters)
  const levels = (some: typeof declared) =>
    some.map(({ prefix }) => ({ prefix })).sort((a, b) => (a.prefix < b.prefix ? -1 : 1))
  expect(await levelsOf(sql`note_search, unnest(tsvector_to_array(filter))`)).toEqual(levels(declared))
  expect(await levelsOf(sql`notes, unnest(note_keys(notes))`)).toEqual(
    levels(declared.filter(({ isInText }) => isInText)),
  )
  const { rows } = await sql<{ indexname: string }>`SELECT indexname FROM pg_indexes WHERE tablename = 'notes'`.execute(
    db,
  )
  const indexes = declared.flatMap(({ column }) => column?.index ?? [])
  expect(rows.map(({ indexname }) => indexname)).toEqual(expect.arrayContaining(indexes))
})
