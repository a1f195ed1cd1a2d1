import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createNote, createUser, type NoteValues, openTestApp } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { writePages } from '../../testing/search-fixtures.ts'
import { get, patch, remove } from '../../testing/students.ts'
import { indexNotes } from './index-notes.ts'

const test = await openTestApp()
const user = await createUser(test, { name: 'Zacharias Quimby' })
const ask = (text: string) => get(test, `/api/suggestions?${new URLSearchParams({ text })}`, user.auth)
const suggest = async (text: string) => (await ask(text)).json()
const none = { courses: [], titles: [], instructors: [] }

it.each(['csc 108', 'CSC-108', 'csc108', 'csc 1', '108'])('suggestions for %s name the course once', async (text) => {
  for (const courseCode of ['CSC 108', 'CSC108', 'CSC108']) await createNote(test, user, { courseCode, title: 'q' })
  const { courses } = await suggest(text)
  expect(courses).toEqual([{ courseCode: 'CSC108', count: expect.any(Number) }])
  expect(courses[0].count % 3).toBe(0)
})

it('suggestions begin any word of titles and instructors, the most frequent first', async () => {
  for (const title of ['Graph theory', 'The graph of a function', 'The graph of a function'])
    await createNote(test, user, { title, courseCode: 'GRA1', instructor: 'Prof. José Núñez' })
  await createNote(test, user, { title: 'Paragraphs', courseCode: 'GRA1', instructor: 'Prof. Jose Nunez' })
  const first = { title: 'The graph of a function', count: 2 }
  expect(await suggest('graph')).toEqual({ ...none, titles: [first, { title: 'Graph theory', count: 1 }] })
  expect((await suggest('func grap')).titles).toEqual([first])
  expect((await suggest('nun')).instructors).toEqual([{ instructor: 'Prof. José Núñez', count: 4 }])
})

it.each([
  ['C++', 'C++ templates'],
  ['c#', 'C# by example'],
  ['.net', 'The .NET runtime'],
])('suggestions for %s name what has the sign, and not all that begins with its letter', async (text, title) => {
  for (const each of ['C++ templates', 'C# by example', 'The .NET runtime', 'Calculus', 'Networks'])
    await createNote(test, user, { title: each, courseCode: 'SIG1' })
  expect((await suggest(text)).titles.map((each: { title: string }) => each.title)).toEqual([title])
})

it('suggestions contain only values that a note still has', async () => {
  const id = await createNote(test, user, { title: 'Vanishing points', courseCode: 'OLD1', instructor: 'Dr. Gone' })
  const edit = { courseCode: 'NEW1', academicYear: '2025–26', isAnonymous: false }
  await patch(test, `/api/users/me/notes/${id}`, edit, user.auth)
  expect([(await suggest('old1')).courses, (await suggest('gone')).instructors]).toEqual([[], []])
  expect((await suggest('new1')).courses).toEqual([{ courseCode: 'NEW1', count: 1 }])
  await remove(test, `/api/users/me/notes/${id}`, user.auth)
  expect([await suggest('vanishing'), await suggest('new1')]).toEqual([none, none])
})

it('suggestions contain no author', async () => {
  await createNote(test, user, { isAnonymous: true })
  await createNote(test, user, {})
  for (const text of ['Zacharias', 'quimby', user.email, user.id]) expect(await suggest(text)).toEqual(none)
})

it('suggestions are counted correctly when many share and delete the same simultaneously', async () => {
  const share = (_: unknown, n: number) => createNote(test, user, { title: 'Rush hour', courseCode: `RUSH${n % 2}` })
  const ids = await Promise.all(Array.from({ length: 12 }, share))
  const deletions = ids.slice(0, 6).map((id) => remove(test, `/api/users/me/notes/${id}`, user.auth))
  await Promise.all([...deletions, ...Array.from({ length: 3 }, share)])
  expect((await suggest('rush')).titles).toEqual([{ title: 'Rush hour', count: 9 }])
})

it.each(['…', '%', "'", '\\', "a' | 'b", '🎓'.repeat(100), 'x'.repeat(200)])('suggestions bear %j', async (text) => {
  expect((await ask(text)).statusCode).toBe(200)
})

const askRelated = (id: string) => get(test, `/api/notes/${id}/related`, user.auth)
const related = async (id: string) => (await askRelated(id)).json().notes.map(({ title }: { title: string }) => title)

async function createRead(note: NoteValues, text: string): Promise<string> {
  const id = await createNote(test, user, note)
  await writePages(test, id, [text, text])
  await indexNotes(test.deps.db)
  return id
}

it('related notes: finds the course first, in it what is about the same, and nothing where nothing is like it', async () => {
  const id = await createRead({ title: 'Waves I', courseCode: 'PHY1' }, 'dispersion and interference of light')
  await createRead({ title: 'Heat', courseCode: 'PHY 1' }, 'entropy and engines')
  await createRead({ title: 'Interference', courseCode: 'PHY-1' }, 'dispersion and interference again')
  await createRead({ title: 'Elsewhere', courseCode: 'OPT9' }, 'interference, dispersion, lenses, light')
  await createRead({ title: 'Kings', courseCode: 'HIS3' }, 'wars and treaties')
  expect(await related(id)).toEqual(['Interference', 'Elsewhere', 'Heat'])
  expect(await related(await createNote(test, user, { title: 'q', courseCode: 'LONE1' }))).toEqual([])
})

it('related notes: refuses what is not there', async () => {
  expectRefusal(await askRelated(randomUUID()), 'note_not_found')
  expect((await askRelated('x')).json().code).toBe('invalid_input')
})
