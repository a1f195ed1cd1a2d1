import { expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import type { NotePage } from '../../../packages/contract/search.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak } from '../../testing/canary.ts'

const test = await openTestApp()
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
    for (const [id, owner] of [[ofSecret, secret] as const, [ofNamed, named] as const]) {
      expect(find(id)?.document.problems !== undefined, asking?.name).toBe(isOwn(owner))
    }
    if (!isOwn(secret)) expectNoLeak(secret, answer)
  }
})

it('shows no page older than a change before its request, however many request it', async () => {
  const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
  for (let round = 0; round < 20; round++) {
    const id = await createNote(test, owner)
    // Reads are always in progress when the next one is requested.
    const crowd = Array.from({ length: 5 }, () => ask(reader))
    const seen = (await ask(reader)).json<NotePage>().notes.map((note) => note._id)
    expect(seen).toContain(id)
    crowd.push(...Array.from({ length: 5 }, () => ask(reader)))
    await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${id}`, headers: owner.auth })
    const after = (await ask(reader)).json<NotePage>().notes.map((note) => note._id)
    expect(after).not.toContain(id)
    await Promise.all(crowd)
  }
})
