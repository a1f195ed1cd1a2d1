import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { recordSql } from '../../bench/record-sql.ts'
import type { NotePage, NoteQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { createReadWithin, type Reads, readsOn } from '../db/read-within.ts'
import { openTestApp, openTestAppOn, type TestApp } from '../test/app.ts'
import { canary, expectNoTrace } from '../test/canary.ts'
import { asViewer, createNote, createUser, type NoteValues, type TestUser } from '../test/factories.ts'
import { gatherNoteMarks, readNoteMark } from './note-marks.queries.ts'
import { findNotes } from './search.queries.ts'
import { createSearchMemory } from './search-memory.ts'

const test = await openTestApp()
const other = await openTestAppOn({ databaseUrl: test.databaseUrl, mails: test.mails })
const { db } = test.deps
const pool = new pg.Pool({ connectionString: test.databaseUrl })
afterAll(() => pool.end())
const [owner, reader] = [await createUser(test), await createUser(test)]
const limit = 5

let shelves = 0
/** Notes that one search finds, and no other test’s. */
async function createShelf(...notes: NoteValues[]) {
  const title = `shelf${++shelves}`
  const ids: string[] = []
  for (const note of notes) ids.push(await createNote(test, owner, { title, ...note }))
  return { title, ids }
}

const ask = ({ app }: TestApp, user: TestUser, query: Record<string, string>) =>
  app.inject({ url: `/api/notes?${new URLSearchParams(query)}`, headers: user.auth })
async function idsOf(on: TestApp, query: Partial<NoteQuery>): Promise<string[]> {
  return (await ask(on, reader, query as Record<string, string>)).json<NotePage>().notes.map(({ _id }) => _id)
}
const send = (user: TestUser, method: 'PATCH' | 'DELETE', url: string, payload?: object) =>
  test.app.inject({ method, url: `/api${url}`, headers: user.auth, ...(payload && { payload }) })

const partsOf = (on: Db): Reads & { db: Db } => ({ db: on, ...readsOn(on, createReadWithin(on, 3)) })
const byDate = (title: string): NoteQuery => ({ sortBy: 'createdAt', title })

/** The statements of searches, one after the other, by a server that has just started. */
async function countStatements(titles: string[], size?: number): Promise<number> {
  const statements = await recordSql(pool, async (on) => {
    const find = createSearchMemory(partsOf(on), limit, size)
    for (const title of titles) expect(await find(asViewer(reader), byDate(title))).not.toEqual([])
  })
  return statements.length
}

it('what was found is read again by one statement', async () => {
  const { title } = await createShelf({}, {})
  const once = await countStatements([title])
  expect(once).toBeGreaterThan(2)
  expect(await countStatements([title, title, title, title])).toBe(once + 3)
})

it('what was asked for longest ago makes room', async () => {
  const [a, b, c] = [(await createShelf({})).title, (await createShelf({})).title, (await createShelf({})).title]
  const once = await countStatements([a])
  // A is asked for after B, which goes for C.
  expect(await countStatements([a, b, a, c, a], 2)).toBe(3 * once + 2)
  expect(await countStatements([a, b, a, c, b], 2)).toBe(4 * once + 1)
})

it('a like changes nothing that was found, and shows', async () => {
  const { title, ids } = await createShelf({}, {})
  const once = await countStatements([title])
  const statements = await recordSql(pool, async (on) => {
    const find = createSearchMemory(partsOf(on), limit)
    await find(asViewer(reader), byDate(title))
    await send(reader, 'PATCH', `/notes/${ids[0]}/rating`, { likes: '+' })
    const notes = await find(asViewer(reader), byDate(title))
    expect(notes.find(({ _id }) => _id === ids[0])?.likes).toBe(1)
  })
  expect(statements).toHaveLength(once + 1)
})

const hide = (id: string | undefined, at: string | null) =>
  db
    .updateTable('notes')
    .set({ hidden_at: at, hidden_rule: at && 'exam', hidden_reason: at && 'An exam.' })
    .where('id', '=', id ?? '')
    .execute()

describe('what happens meanwhile is seen by the next search, on every server', () => {
  type Deed = (shelf: { title: string; ids: string[] }) => Promise<unknown>
  const edit = (changed: object): Deed => {
    return ({ title, ids }) => {
      const note = { title, courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: false, ...changed }
      return send(owner, 'PATCH', `/users/me/notes/${ids[0]}`, note)
    }
  }
  const deeds: [string, Deed, Partial<NoteQuery>?][] = [
    ['a note that is shared', ({ title }) => createNote(test, owner, { title })],
    ['one that is deleted', ({ ids }) => send(owner, 'DELETE', `/users/me/notes/${ids[1]}`)],
    ['one that gets another title', edit({ title: 'Rings' })],
    ['one that gets the title', async ({ title }) => edit({ title })({ title, ids: [spare] })],
    ['one that gets another course', edit({ courseCode: 'CSC148' }), { courseCode: 'MAT' }],
    ['one that gets the course', edit({ courseCode: 'CSC148' }), { courseCode: 'CSC' }],
    ['one that gets another year', edit({ academicYear: '2024–25' }), { academicYear: '2025–26' }],
    ['one that gets an instructor', edit({ instructor: 'Erik Olsen' }), { instructor: 'erik' }],
    ['one that is hidden', ({ ids }) => hide(ids[1], '2026-11-22T12:00:00Z')],
    ['one that is shown again', ({ ids }) => hide(ids[2], null)],
    ['one that gets another date', ({ ids }) => redate(ids[0])],
    ['one that is liked most now', ({ ids }) => likeMuch(ids[3]), { sortBy: 'likes' }],
  ]
  let spare = ''
  const likeMuch = (id: string | undefined) => sql`UPDATE notes SET likes = 9 WHERE id = ${id}`.execute(db)
  const redate = (id: string | undefined) => sql`UPDATE notes SET created_at = now() WHERE id = ${id}`.execute(db)

  it.each(deeds)('%s', async (_what, deed, more) => {
    const shelf = await createShelf({ likes: 1 }, { likes: 1 }, {}, { instructor: 'Erik Olsen', courseCode: 'CSC207' })
    spare = await createNote(test, owner, { title: 'Rings' })
    await hide(shelf.ids[2], '2026-11-22T12:00:00Z')
    const query = { ...byDate(shelf.title), ...more }
    const before = [await idsOf(test, query), await idsOf(other, query)]
    expect(before[1]).toEqual(before[0])
    await deed(shelf)
    const now = (await findNotes(test.deps, 'all', asViewer(reader), query, 26)).map(({ _id }) => _id)
    expect(now).not.toEqual(before[0])
    for (const on of [other, test, other, test]) expect(await idsOf(on, query)).toEqual(now)
  })

  it.each([0, 1, 2, 3])('a note shared just after statement %i of the search that is remembered', async (after) => {
    const { title } = await createShelf({}, {})
    let asked = 0
    let shared: string | undefined
    const { db: primary, ...reads } = partsOf(db)
    const parts: Reads & { db: Db } = {
      db: primary,
      ...reads,
      async read(what) {
        const result = await reads.read(what)
        if (asked++ === after) shared = await createNote(test, owner, { title })
        return result
      },
    }
    const find = createSearchMemory(parts, limit)
    while (shared === undefined) await find(asViewer(reader), byDate(title))
    const notes = await find(asViewer(reader), byDate(title))
    expect(notes.map(({ _id }) => _id)).toContain(shared)
  })

  it('changes that end in another order than they began', async () => {
    const { title, ids } = await createShelf({}, {}, {})
    const toOtherYear = (on: Db, id: string | undefined) =>
      sql`UPDATE notes SET academic_year = '2024–25' WHERE id = ${id}`.execute(on)
    const query: NoteQuery = { ...byDate(title), academicYear: '2024–25' }
    await db.transaction().execute(async (tx) => {
      await toOtherYear(tx, ids[0])
      await toOtherYear(db, ids[1])
      for (let time = 0; time < 2; time++) expect(await idsOf(test, query)).toEqual([ids[1]])
    })
    expect((await idsOf(test, query)).toSorted()).toEqual(ids.slice(0, 2).toSorted())
  })

  it('while many search and others share and delete', async () => {
    const { title } = await createShelf({}, {})
    for (let round = 0; round < 10; round++) {
      const crowd = Array.from({ length: 5 }, (_, n) => ask(n % 2 ? test : other, reader, { title }))
      const id = await createNote(test, owner, { title })
      expect(await idsOf(round % 2 ? test : other, byDate(title))).toContain(id)
      crowd.push(...Array.from({ length: 5 }, (_, n) => ask(n % 2 ? test : other, reader, { title })))
      await send(owner, 'DELETE', `/users/me/notes/${id}`)
      expect(await idsOf(round % 2 ? other : test, byDate(title))).not.toContain(id)
      for (const answer of await Promise.all(crowd)) expect(answer.statusCode).toBe(200)
    }
  })
})

describe('the marks', () => {
  const findBackends = async () =>
    (await sql<{ backend: number }>`SELECT backend FROM note_marks ORDER BY 1`.execute(db)).rows.map(
      ({ backend }) => backend,
    )

  it('of processes that are gone become one, and nothing that was found before is taken for found since', async () => {
    const client = new pg.Client({ connectionString: test.databaseUrl })
    await client.connect()
    await client.query(`UPDATE notes SET academic_year = academic_year`)
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const pid = rows[0]?.pid
    const { title, ids } = await createShelf({}, {})
    expect(await findBackends()).toContain(pid)
    const before = await readNoteMark(db)
    await client.end()
    const gather = async () => {
      await gatherNoteMarks(db)
      return findBackends()
    }
    await expect.poll(gather).not.toContain(pid)
    // Those of living ones stay.
    expect((await findBackends()).length).toBeGreaterThanOrEqual(2)
    expect(await readNoteMark(db)).not.toBe(before)
    expect((await idsOf(test, byDate(title))).toSorted()).toEqual(ids.toSorted())
  })

  it('are left by whatever searches of all notes look at', async () => {
    const { rows } = await sql<{ unmarked: string[] | null }>`
      SELECT array_agg(DISTINCT a.attname::text) AS unmarked
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid AND c.relname ~ '^notes_(walk|filter)_'
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refobjid = 'notes'::regclass
        JOIN pg_attribute a ON a.attrelid = 'notes'::regclass AND a.attnum = d.refobjsubid
       WHERE a.attnum <> ALL ((SELECT tgattr FROM pg_trigger WHERE tgname = 'notes_marked')::int2[])`.execute(db)
    expect(rows[0]?.unmarked?.toSorted()).toEqual(['id', 'likes'])
  })
})

it('whatever is remembered, each is told what is for them', async () => {
  const secret = await createUser(test, { name: canary.name })
  const title = `shelf${++shelves}`
  await createNote(test, secret, { title, isAnonymous: true })
  for (const who of [secret, reader, secret, reader]) {
    const answer = await ask(test, who, { title })
    const [note] = answer.json<NotePage>().notes
    expect(note?.user).toEqual(who === secret ? { _id: secret.id, name: secret.name } : null)
    if (who !== secret) expectNoTrace(secret, answer)
  }
})
