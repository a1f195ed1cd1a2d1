import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { pageSize } from '../../../packages/contract/limits.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { foldVersion } from './text-analysis/fold.ts'

const test = await openTestApp()
const { db } = test.deps

type Walk = {
  url?: string
  sortBy?: 'createdAt' | 'likes'
  title?: string
  /** Whether notes are grouped by course. */
  isGrouped?: boolean
  afterPage?: (page: number) => Promise<void>
}

/** Loads pages until there are no more, as the web pages do: the cursor is the last note shown. */
async function walk(
  user: TestUser,
  { url = '/api/users/me/notes', sortBy = 'createdAt', title, isGrouped = false, afterPage }: Walk = {},
) {
  const ids: string[] = []
  let cursor: Record<string, string> = {}
  for (let page = 0; page < 1000; page++) {
    const group = isGrouped && { groupBy: 'course' }
    const query = new URLSearchParams({ sortBy, ...(title && { title }), ...group, ...cursor })
    const response = await test.app.inject({ url: `${url}?${query}`, headers: user.auth })
    expect(response.statusCode).toBe(200)
    const { notes, hasMore } = response.json<{ notes: Note[]; hasMore: boolean }>()
    expect(notes.length).toBeLessThanOrEqual(pageSize)
    ids.push(...notes.map((note) => note._id))
    const last = notes.at(-1)
    if (!hasMore || !last) return ids
    expect(notes).toHaveLength(pageSize)
    const course = isGrouped && { cursorCourse: last.courseCode }
    cursor = { cursorId: last._id, cursorValue: String(last[sortBy]), ...course }
    await afterPage?.(page)
  }
  throw new Error('The walk has no end')
}

/** Inserts notes without files in one statement. @param likes and createdAt as SQL, with `i` counting from 1. */
async function insertMany(owner: TestUser, count: number, { likes = '0', createdAt = 'now()' } = {}): Promise<void> {
  await sql`
    WITH inserted AS (
      INSERT INTO documents (file_key, bytes, sha256)
      SELECT gen_random_uuid(), 1, '' FROM generate_series(1, ${sql.lit(count)}) RETURNING id)
    INSERT INTO notes (user_id, title, course_code, course_key, academic_year, is_anonymous, title_words,
                       instructor_words, fold_version, document_id, likes, created_at)
    SELECT ${owner.id}, 'Note', 'MAT137', 'MAT137', '2025–26', false, array_to_tsvector('{note}'), '',
           ${foldVersion}, id, ${sql.raw(likes)}, ${sql.raw(createdAt)}
      FROM (SELECT id, row_number() OVER () AS i FROM inserted) AS given`.execute(db)
}

async function idsInOrder({ id }: TestUser, order: string) {
  const rows = db.selectFrom('notes').select('id').where('user_id', '=', id).orderBy(sql.raw(order))
  return (await rows.execute()).map((row) => row.id)
}
/** Deletes the note that is the cursor of the next page. */
async function removeLastShown(ids: string[], page: number) {
  await sql`DELETE FROM notes WHERE id = ${ids[(page + 1) * pageSize - 1]}`.execute(db)
}

describe('load more', () => {
  it('shows 5,000 notes of one moment and equal likes exactly once each', async () => {
    const owner = await createUser(test)
    await insertMany(owner, 5_000, { createdAt: `'2026-01-02T03:04:05.678Z'` })
    const expected = await idsInOrder(owner, 'id DESC')
    expect(await walk(owner)).toEqual(expected)
    expect(await walk(owner, { sortBy: 'likes' })).toEqual(expected)
  })

  it.each([0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize])('knows when %i notes are all', async (count) => {
    const owner = await createUser(test)
    await insertMany(owner, count)
    expect((await walk(owner)).length).toBe(count)
    const first = (await test.app.inject({ url: '/api/users/me/notes', headers: owner.auth })).json()
    expect(first.hasMore).toBe(count > pageSize)
  })

  it.each([
    ['made within one millisecond', 'createdAt', 'created_at'],
    ['liked equally', 'likes', 'likes'],
  ] as const)(
    'tells notes apart that were %s, keeps to its order, and goes on from one that is gone',
    async (_what, sortBy, order) => {
      const owner = await createUser(test)
      const createdAt = `timestamptz '2026-01-02T03:04:05.678Z' + i * interval '97 microseconds'`
      await insertMany(owner, 200, { createdAt, likes: 'i % 7' })
      const all = await idsInOrder(owner, `${order} DESC, id DESC`)
      expect(await walk(owner, { sortBy, afterPage: (page) => removeLastShown(all, page) })).toEqual(all)
    },
  )

  it('walks through the student’s own notes course by course, in either order, also from a deleted note', async () => {
    const owner = await createUser(test)
    await insertMany(owner, 200, { likes: 'i % 7', createdAt: `timestamptz '2026-01-02' + i % 50 * interval '1 hour'` })
    await sql`UPDATE notes SET course_code = c.code, course_key = upper(replace(c.code, ' ', ''))
                FROM (SELECT id, (ARRAY['mat 137', 'CSC111', 'MAT1370', 'ÖKO1'])[1 + row_number() OVER (ORDER BY id) % 4] AS code
                        FROM notes WHERE user_id = ${owner.id}) c WHERE c.id = notes.id`.execute(db)
    const byLikes = await idsInOrder(owner, 'course_key, likes DESC, id DESC')
    expect(await walk(owner, { isGrouped: true, sortBy: 'likes' })).toEqual(byLikes)
    const byDate = await idsInOrder(owner, 'course_key, created_at DESC, id DESC')
    const ids = await walk(owner, { isGrouped: true, afterPage: (page) => removeLastShown(byDate, page) })
    expect(ids).toEqual(byDate)
  })

  it('walks through the liked notes', async () => {
    const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
    await insertMany(owner, 120)
    await sql`INSERT INTO ratings (user_id, note_id, liked)
      SELECT ${reader.id}, id, true FROM notes WHERE user_id = ${owner.id} ORDER BY id LIMIT 100`.execute(db)
    const liked = (await idsInOrder(owner, 'id')).slice(0, 100)
    for (const sortBy of ['createdAt', 'likes'] as const) {
      const ids = await walk(reader, { url: '/api/users/me/notes/liked', sortBy })
      expect([...ids].sort()).toEqual(liked)
    }
  })

  it('shows every note that was there all along once, while others are added and deleted', async () => {
    const owner = await createUser(test)
    await insertMany(owner, 300)
    const lasting = await idsInOrder(owner, 'id')
    const passing: string[] = []
    const ids = await walk(owner, {
      async afterPage() {
        for (const id of passing.splice(0)) await db.deleteFrom('notes').where('id', '=', id).execute()
        for (const given of [{}, { createdAt: '2001-01-01T00:00:00Z' }])
          passing.push(await createNote(test, owner, given))
      },
    })
    expect(ids.filter((id) => lasting.includes(id)).sort()).toEqual(lasting)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('comes to an end by likes, however they change meanwhile', async () => {
    const owner = await createUser(test)
    await insertMany(owner, 300, { likes: 'i % 10' })
    const ids = await walk(owner, {
      sortBy: 'likes',
      async afterPage() {
        await sql`UPDATE notes SET likes = (likes * 7 + 3) % 10 WHERE user_id = ${owner.id}`.execute(db)
      },
    })
    expect(ids.length).toBeLessThanOrEqual(3000)
  })
})
