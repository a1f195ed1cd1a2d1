import { expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import type { NotePage, SearchPage } from '../../../packages/contract/search.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak } from '../../testing/canary.ts'
import { search, writePages } from '../../testing/search-fixtures.ts'
import { changeIdentity } from '../accounts/users/users.ts'
import { updateTitles } from '../notes/notes.queries.ts'

const test = await openTestApp()
const author = await createUser(test, { name: 'Zacharias Quimby', email: 'zquimby77@uni.example' })
const reader = await createUser(test)
const get = (url: string) => test.app.inject({ url, headers: reader.auth })

it('finds no author by name, and reveals no name', async () => {
  const id = await createNote(test, author, { title: 'Hidden waves', courseCode: 'ANO1', isAnonymous: true })
  const other = await createNote(test, reader, { title: 'Plain waves', courseCode: 'ANO1' })
  await writePages(test, id, ['interference and dispersion'])
  for (const word of ['Zacharias', 'Quimby', 'quinby', 'zquimby77', '"Zacharias Quimby"', author.id, author.email]) {
    const found = await search(test, reader, { text: word })
    expect(found.json().hits, word).toEqual([])
    expect(found.json().corrected, word).toBe(null)
    const suggested = (await get(`/api/suggestions?text=${encodeURIComponent(word)}`)).json()
    expect(suggested, word).toEqual({ courses: [], titles: [], instructors: [] })
  }
  // The name also finds nothing next to a word that does find the note.
  const found = (await search(test, reader, { text: 'hidden quimby' })).json()
  expect(found).toMatchObject({ hits: [], shortened: 'hidden' })
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
  // The author sees their own name.
  const own = (await search(test, author, { text: 'hidden' })).json()
  expect(own.hits[0].note.user).toEqual({ _id: author.id, name: author.name })
})

it('names the author of a note that carries the name, until the moment it becomes anonymous', async () => {
  const named = await createUser(test, { name: 'Ottoline Wexford' })
  const id = await createNote(test, named, { title: 'Tides by Wexford', courseCode: 'ANO2' })
  await writePages(test, id, ['the moon and the sea'])
  const finds = async (text: string, query = {}) =>
    (await search(test, reader, { text, ...query })).json().hits.map(({ note }: { note: { _id: string } }) => note._id)
  const names = [
    'wexford',
    'ottoline tides',
    'otoline',
    'by:wexford',
    'by:ottoline tides',
    'wexford moon',
    '"ottoline wexford" moon',
  ]
  for (const text of names) expect(await finds(text), text).toEqual([id])
  expect(await test.deps.db.selectFrom('index_queue').selectAll().execute()).toEqual([])
  // This is the state after anonymising, with a title that does not identify the author. No job has run since.
  await inTransaction(test.deps.db, async (tx) => {
    await updateTitles(tx, [{ id, title: 'Tides' }])
    await tx.updateTable('notes').set({ is_anonymous: true }).where('id', '=', id).execute()
  })
  for (const text of names)
    for (const sortBy of ['relevance', 'createdAt', 'likes'])
      for (const { auth } of [reader, author]) {
        const url = `/api/search?${new URLSearchParams({ text, sortBy })}`
        const { hits, corrected } = (await test.app.inject({ url, headers: auth })).json<SearchPage>()
        expect([hits.filter(({ missing }) => missing.length === 0), corrected], text).toEqual([[], null])
      }
  for (const text of names) expect((await finds(text)).length <= (/moon|tides/.test(text) ? 1 : 0), text).toBe(true)
  expect(await finds('moon')).toEqual([id])
  // A new name of the author does not find the note either.
  await inTransaction(test.deps.db, (tx) => changeIdentity(tx, named.id, { name: 'Perpetua Lunt' }))
  expect(await finds('perpetua')).toEqual([])
})

const { db } = test.deps
const ask = (user: TestUser, query = '') => test.app.inject({ url: `/api/notes${query}`, headers: user.auth })

it.each(['', '?sortBy=likes'])('answers each of many simultaneous requests for its own user: %s', async (query) => {
  const [secret, named, reader] = await Promise.all([
    createUser(test, { name: canary.name }),
    createUser(test, { name: 'Björk Ødegård' }),
    createUser(test),
  ])
  const ofSecret = await createNote(test, secret, { isAnonymous: true, likes: 2 })
  const ofNamed = await createNote(test, named, { likes: 1 })
  // Only the author sees these states.
  const failed = { text_state: 'failed', text_error: 'unreadable' as const }
  await db.updateTable('documents').set(failed).execute()
  const who = [reader, secret, named, reader, secret, named, reader]
  const answers = await Promise.all(who.map((user) => ask(user, query)))
  for (const [index, answer] of answers.entries()) {
    const asking = who[index]
    const { notes } = answer.json<NotePage>()
    const find = (id: string): Note | undefined => notes.find((note) => note._id === id)
    const isOwn = (owner: TestUser) => asking?.id === owner.id
    expect(find(ofSecret)?.user).toEqual(isOwn(secret) ? { _id: secret.id, name: secret.name } : null)
    expect(find(ofNamed)?.user).toEqual({ _id: named.id, name: named.name })
    for (const [id, owner] of [[ofSecret, secret] as const, [ofNamed, named] as const])
      expect(find(id)?.document.problems !== undefined, asking?.name).toBe(isOwn(owner))
    if (!isOwn(secret)) expectNoLeak(secret, answer)
  }
})

it('shows no page older than a change before its request, however many request it', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  for (let round = 0; round < 20; round++) {
    const id = await createNote(test, owner)
    // Reads are always in progress when the next one is requested.
    const crowd = Array.from({ length: 5 }, () => ask(reader))
    expect((await ask(reader)).json<NotePage>().notes.map((note) => note._id)).toContain(id)
    crowd.push(...Array.from({ length: 5 }, () => ask(reader)))
    await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${id}`, headers: owner.auth })
    expect((await ask(reader)).json<NotePage>().notes.map((note) => note._id)).not.toContain(id)
    await Promise.all(crowd)
  }
})
