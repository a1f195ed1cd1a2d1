import { expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { createNote, createUser } from '../../test/factories.ts'
import { search, writePages } from '../../test/searching.ts'

const test = await openTestApp()
const author = await createUser(test, { name: 'Zacharias Quimby', email: 'zquimby77@uni.example' })
const reader = await createUser(test)
const get = (url: string) => test.app.inject({ url, headers: reader.auth })

it('finds nobody by their name, and tells nobody’s', async () => {
  const id = await createNote(test, author, { title: 'Hidden waves', courseCode: 'ANO1', isAnonymous: true })
  const other = await createNote(test, reader, { title: 'Plain waves', courseCode: 'ANO1' })
  await writePages(test, id, ['interference and dispersion'])
  for (const word of ['Zacharias', 'Quimby', 'quinby', 'zquimby77', '"Zacharias Quimby"', author.id, author.email]) {
    const found = await search(test, reader, { text: word })
    expect(found.json().hits, word).toEqual([])
    expect(found.json().didYouMean, word).toBe(null)
    expect((await get(`/api/suggestions?text=${encodeURIComponent(word)}`)).json(), word).toEqual({
      courses: [],
      titles: [],
      instructors: [],
    })
  }
  // Nor beside a word that does find the note.
  expect((await search(test, reader, { text: 'hidden quimby' })).json()).toMatchObject({
    hits: [],
    leaveOut: ['quimby'],
  })

  const answers = [
    await search(test, reader, { text: 'hidden dispersion' }),
    await get('/api/suggestions?text=hidden'),
    await get(`/api/notes/${other}/related`),
  ]
  expect(answers[0]?.json().hits).toMatchObject([{ note: { _id: id, user: null } }])
  expect(answers[2]?.json().notes).toMatchObject([{ _id: id, user: null }])
  for (const { body, headers } of answers) {
    for (const word of ['zacharias', 'quimby', 'zquimby77', author.id])
      expect((body + JSON.stringify(headers)).toLowerCase()).not.toContain(word)
  }
  // Its own author is told.
  expect((await search(test, author, { text: 'hidden' })).json().hits[0].note.user).toEqual({
    _id: author.id,
    name: author.name,
  })
})

it('finds what a file itself says', async () => {
  const id = await createNote(test, author, { title: 'Letters', isAnonymous: true })
  await writePages(test, id, ['a letter to Wilhelmina Brandt'])
  expect((await search(test, reader, { text: 'wilhelmina' })).json().hits).toMatchObject([{ note: { _id: id } }])
})
