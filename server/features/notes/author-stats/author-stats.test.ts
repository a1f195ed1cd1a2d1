import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { type AuthorStats, authorStatsWeeks } from '../../../../packages/contract/author-stats.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../../testing/app.ts'
import { rate, remove } from '../../../testing/students.ts'
import { retryAcrossPeriods } from '../../../testing/times.ts'
import { removeUser } from '../../accounts/deletion/account-deletion.ts'
import { setHidden } from '../notes.ts'
import { compactAuthorStats } from './author-stats.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

const ask = async (user: TestUser) => {
  const response = await test.app.inject({ url: '/api/users/me/sharing', headers: user.auth })
  expect(response.statusCode).toBe(200)
  return response.json<AuthorStats>()
}
const totals = async (user: TestUser) => {
  const { weeks: _, ...sums } = await ask(user)
  return sums
}
/** Opens a note as the pages do: with its id at the front. */
const view = (user: TestUser, recentlyViewedNotes: string[]) =>
  test.app.inject({ method: 'PATCH', url: '/api/users/me', headers: user.auth, payload: { recentlyViewedNotes } })
/** Moves all counts so far back by a number of weeks. */
async function goOn(owner: TestUser, weeks: number) {
  await sql`UPDATE author_weekly_stats SET week = week - 7 * ${weeks}::int WHERE owner_id = ${owner.id}`.execute(db)
  await sql`
    UPDATE daily_note_views SET day = day - 7 * ${weeks}::int
     WHERE note_id IN (SELECT id FROM notes WHERE user_id = ${owner.id})`.execute(db)
}
const week = sql<Date>`date_trunc('week', now(), 'UTC')`
const day = sql<Date>`date_trunc('day', now(), 'UTC')`
/** Creates an author and so many readers. */
const createUsers = (readers: number) =>
  Promise.all([createUser(test), ...Array.from({ length: readers }, () => createUser(test))])
const createNotes = (owner: TestUser, count: number) =>
  Promise.all(Array.from({ length: count }, () => createNote(test, owner)))

const nothing = { helped: 0, opened: 0, liked: 0 }

describe('GET /api/users/me/sharing', () => {
  it('counts openings, likes and the different students behind them', async ({ owner, ada, ben }) => {
    const [one = '', two = ''] = await createNotes(owner, 2)
    expect(await totals(owner)).toEqual(nothing)
    await view(ada, [one])
    await view(ada, [two, one])
    await rate(test, ada, one, { likes: '+' })
    expect(await totals(owner)).toEqual({ helped: 1, opened: 2, liked: 1 })
    // A user who likes a note without opening it counts as helped; one who dislikes it does not.
    await rate(test, ben, two, { likes: '+' })
    expect(await totals(owner)).toEqual({ helped: 2, opened: 2, liked: 2 })
    await rate(test, await createUser(test), two, { dislikes: '+' })
    expect(await totals(owner)).toEqual({ helped: 2, opened: 2, liked: 2 })
    for (const reader of [ada, ben]) expect(await totals(reader)).toEqual(nothing)
  })

  it('takes all that a student does with a note in a day for one opening', async () => {
    const { counted, days } = await retryAcrossPeriods(db, day, async () => {
      const [owner, reader, other] = await Promise.all([createUser(test), createUser(test), createUser(test)])
      const [one = '', two = ''] = await createNotes(owner, 2)
      const lists = [[one], [one], [one.toUpperCase(), two], [two, one], [one, two], [], [one], [crypto.randomUUID()]]
      const counted = []
      for (const list of lists) await view(reader, list)
      counted.push(await totals(owner))
      await view(other, [one])
      counted.push(await totals(owner))
      await goOn(owner, 1)
      for (const list of lists) await view(reader, list)
      counted.push(await totals(owner))
      const kept = db.selectFrom('daily_note_views').select('day').distinct().where('reader_id', '=', reader.id)
      return { counted, days: await kept.execute() }
    })
    expect(counted).toEqual([
      { helped: 1, opened: 2, liked: 0 },
      { helped: 2, opened: 3, liked: 0 },
      { helped: 2, opened: 5, liked: 0 },
    ])
    // Openings of earlier days are not stored.
    expect(days).toHaveLength(1)
  })

  it('counts nothing that one does oneself', async ({ owner }) => {
    const noteId = await createNote(test, owner)
    await view(owner, [noteId])
    await rate(test, owner, noteId, { likes: '+' })
    expect(await totals(owner)).toEqual(nothing)
  })

  it('tells the last weeks, empty ones among them, and keeps older ones in the sums', async () => {
    const { weeks, ...sums } = await retryAcrossPeriods(db, week, async () => {
      const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
      const [one = '', two = ''] = await createNotes(owner, 2)
      await view(reader, [one])
      await goOn(owner, authorStatsWeeks)
      await view(reader, [two, one])
      await rate(test, reader, two, { likes: '+' })
      await goOn(owner, 3)
      await view(reader, [one, two])
      return ask(owner)
    })
    expect(sums).toEqual({ helped: 1, opened: 3, liked: 1 })
    expect(weeks).toHaveLength(authorStatsWeeks)
    expect(weeks.at(-1)).toMatchObject({ opened: 1, liked: 0 })
    expect(weeks.at(-4)).toMatchObject({ opened: 1, liked: 1 })
    const others = weeks.filter((_, at) => at !== authorStatsWeeks - 1 && at !== authorStatsWeeks - 4)
    expect(others.every(({ opened, liked }) => opened === 0 && liked === 0)).toBe(true)
    const days = weeks.map(({ week }) => Date.parse(week) / 86_400_000)
    expect(days.every((day, at) => at === 0 || day - (days[at - 1] ?? 0) === 7)).toBe(true)
    // 1970 began on a Thursday.
    expect(days.every((day) => day % 7 === 4)).toBe(true)
  })

  it('counts no note as opened because the one before it in a list was hidden', async ({ owner, reader }) => {
    const [one = '', two = '', three = ''] = await createNotes(owner, 3)
    for (const list of [[one], [two, one], [three, two, one]]) await view(reader, list)
    // On another day each opening may count again.
    await sql`DELETE FROM daily_note_views WHERE reader_id = ${reader.id}`.execute(db)
    await inTransaction(db, (tx) => setHidden(tx, three, { rule: 'exam', reason: 'x' }))
    // One list is from a page loaded before the note was hidden, the other from one loaded after.
    await view(reader, [three, two, one])
    await view(reader, [two, one])
    expect(await totals(owner)).toMatchObject({ opened: 3 })
    await view(reader, [one, two])
    expect(await totals(owner)).toMatchObject({ opened: 4 })
  })

  it('removes a like from the week in which it was given', async () => {
    const { takenBack, weeks } = await retryAcrossPeriods(db, week, async () => {
      const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
      const noteId = await createNote(test, owner)
      await rate(test, reader, noteId, { likes: '+' })
      await goOn(owner, 2)
      await sql`UPDATE ratings SET created_at = now() - interval '14 days' WHERE note_id = ${noteId}`.execute(db)
      await rate(test, reader, noteId, { dislikes: '+' })
      const takenBack = await totals(owner)
      await rate(test, reader, noteId, { likes: '+' })
      return { takenBack, ...(await ask(owner)) }
    })
    expect(takenBack).toEqual({ helped: 1, opened: 0, liked: 0 })
    expect(weeks.at(-1)).toMatchObject({ liked: 1 })
    expect(weeks.at(-3)).toMatchObject({ liked: 0 })
  })

  it('keeps the figures of a deleted note, and forgets readers who leave', async ({ owner, reader }) => {
    const [one = '', two = ''] = await createNotes(owner, 2)
    await view(reader, [one])
    await rate(test, reader, one, { likes: '+' })
    await rate(test, reader, two, { likes: '+' })
    await remove(test, `/api/users/me/notes/${one}`, owner.auth)
    expect(await totals(owner)).toEqual({ helped: 1, opened: 1, liked: 2 })
    await inTransaction(db, (tx) => removeUser(tx, reader.id))
    expect(await totals(owner)).toEqual({ helped: 0, opened: 1, liked: 1 })
    await inTransaction(db, (tx) => removeUser(tx, owner.id))
    for (const table of ['author_weekly_stats', 'author_readers'] as const)
      expect(await db.selectFrom(table).selectAll().where('owner_id', '=', owner.id).execute()).toEqual([])
  })

  it('names no author, and notifies no one else (A1, A2)', async () => {
    const owner = await createUser(test, { name: 'Zyxwvut Canary' })
    const reader = await createUser(test, { name: 'Qwertzu Reader' })
    const noteId = await createNote(test, owner, { isAnonymous: true })
    const seen = async () => {
      const urls = ['/api/notes', `/api/notes/${noteId}`, '/api/users/me', '/api/users/me/sharing']
      const answers = await Promise.all(urls.map((url) => test.app.inject({ url, headers: stranger.auth })))
      return answers.map(({ body }) => body)
    }
    const stranger = await createUser(test)
    const [before, after] = await retryAcrossPeriods(db, week, async () => {
      await view(reader, [])
      const before = await seen()
      await view(reader, [noteId])
      return [before, await seen()]
    })
    expect(after).toEqual(before)
    const response = await test.app.inject({ url: '/api/users/me/sharing', headers: owner.auth })
    expect(response.json()).toMatchObject({ helped: 1 })
    expect(response.json().opened).toBeGreaterThan(0)
    expect(Object.keys(response.json()).sort()).toEqual(['helped', 'liked', 'opened', 'weeks'])
    for (const canary of [reader.id, reader.email, 'Qwertzu', noteId]) expect(response.body).not.toContain(canary)
    const answer = await view(reader, [noteId])
    for (const canary of [owner.id, owner.email, 'Zyxwvut']) expect(answer.body).not.toContain(canary)
  })

  it('counts simultaneous actions exactly, while notes are deleted', async () => {
    const [owner, ...readers] = await createUsers(20)
    const [going = '', ...staying] = await createNotes(owner, 6)
    const answers = await Promise.all([
      ...readers.flatMap((reader, at) => [
        view(reader, staying.slice(at % 3)),
        rate(test, reader, staying[at % 5] ?? '', { likes: '+' }),
        rate(test, reader, staying[(at + 1) % 5] ?? '', { dislikes: '+' }),
      ]),
      remove(test, `/api/users/me/notes/${going}`, owner.auth),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(60).fill(200), 204])
    expect(await totals(owner)).toEqual({ helped: 20, opened: 20, liked: 20 })
    await Promise.all(readers.map((reader, at) => rate(test, reader, staying[at % 5] ?? '', { likes: '-' })))
    expect(await totals(owner)).toEqual({ helped: 20, opened: 20, liked: 0 })
  })
})

describe('folding the weeks', () => {
  const fold = () => compactAuthorStats(db, new AbortController().signal)
  const rows = db.selectFrom('author_weekly_stats').select(['views as opened', 'likes as liked'])
  const rowsOf = (owner: TestUser) => rows.where('owner_id', '=', owner.id).orderBy('week').orderBy('views').execute()

  it('leaves one row for each week, and the same numbers', async () => {
    const { before, after, rows } = await retryAcrossPeriods(db, week, async () => {
      const [owner, ...readers] = await createUsers(4)
      const noteId = await createNote(test, owner)
      for (const reader of readers) await view(reader, [noteId])
      await goOn(owner, 1)
      for (const reader of readers.slice(1)) await rate(test, reader, noteId, { likes: '+' })
      // This week's counts sum to zero.
      await sql`
        INSERT INTO author_weekly_stats (owner_id, week, likes)
        SELECT ${owner.id}, '2026-01-05', liked FROM unnest(ARRAY[1, -1]) liked`.execute(db)
      const before = await ask(owner)
      await fold()
      return { before, after: await ask(owner), rows: await rowsOf(owner) }
    })
    expect(after).toEqual(before)
    expect(rows).toEqual([
      { opened: 4, liked: 0 },
      { opened: 0, liked: 3 },
    ])
  })

  it('loses nothing while others rate and read, and several servers fold', async () => {
    const [owner, ...readers] = await createUsers(12)
    const noteId = await createNote(test, owner)
    await Promise.all(
      readers.flatMap((reader) => [view(reader, [noteId]), fold(), rate(test, reader, noteId, { likes: '+' }), fold()]),
    )
    expect(await totals(owner)).toEqual({ helped: 12, opened: 12, liked: 12 })
  })

  it('does not block the deletion of a student', async () => {
    const [owner, ...readers] = await createUsers(3)
    const noteId = await createNote(test, owner)
    for (const reader of readers) await view(reader, [noteId])
    await Promise.all([fold(), inTransaction(db, (tx) => removeUser(tx, owner.id)), fold()])
    expect(await rowsOf(owner)).toEqual([])
  })
})
