import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createNote, createUser, type NoteValues, openTestApp } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { writePages } from '../../testing/search-fixtures.ts'
import { indexNotes } from './index-notes.ts'

const test = await openTestApp()
const user = await createUser(test, { name: 'Zacharias Quimby' })
const ask = (id: string, who = user) => test.app.inject({ url: `/api/notes/${id}/related`, headers: who.auth })
const related = async (id: string) => (await ask(id)).json().notes.map(({ title }: { title: string }) => title)

async function createRead(note: NoteValues, text: string): Promise<string> {
  const id = await createNote(test, user, note)
  await writePages(test, id, [text, text])
  await indexNotes(test.deps.db)
  return id
}

it('finds the course first, and in it what is about the same', async () => {
  const id = await createRead({ title: 'Waves I', courseCode: 'PHY1' }, 'dispersion and interference of light')
  await createRead({ title: 'Heat', courseCode: 'PHY 1' }, 'entropy and engines')
  await createRead({ title: 'Interference', courseCode: 'PHY-1' }, 'dispersion and interference again')
  await createRead({ title: 'Elsewhere', courseCode: 'OPT9' }, 'interference, dispersion, lenses, light')
  await createRead({ title: 'Kings', courseCode: 'HIS3' }, 'wars and treaties')
  expect(await related(id)).toEqual(['Interference', 'Elsewhere', 'Heat'])
})

it('finds nothing where nothing is like it', async () => {
  expect(await related(await createNote(test, user, { title: 'q', courseCode: 'LONE1' }))).toEqual([])
})

it('keeps to what the viewer may know', async () => {
  const id = await createNote(test, user, { courseCode: 'ANON1' })
  await createNote(test, user, { courseCode: 'ANON1', isAnonymous: true, title: 'Secret' })
  const response = await ask(id, await createUser(test))
  expect(response.json().notes).toMatchObject([{ title: 'Secret', user: null }])
  expect(response.body).not.toContain('Quimby')
  expect(response.body).not.toContain(user.id)
})

it('refuses what is not there', async () => {
  expectRefusal(await ask(randomUUID()), 'note_not_found')
  expect((await ask('x')).json().code).toBe('invalid_input')
})
