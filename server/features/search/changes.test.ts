import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { SearchPage } from '../../../packages/contract/search.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createNote, openTestApp, type TestUser } from '../../testing/app.ts'
import { quietLog } from '../../testing/log.ts'
import { recordSql } from '../../testing/record-sql.ts'
import { createLibrary, search, writePages } from '../../testing/search-fixtures.ts'
import { documentOf } from '../../testing/stored-files.ts'
import { patch, remove as removeAt } from '../../testing/students.ts'
import { correctCounts, indexNotes, indexSoon, queueIndexing } from './index-notes.ts'

const test = await openTestApp()
const { db } = test.deps
const remove = (owner: TestUser, id: string) => removeAt(test, `/api/users/me/notes/${id}`, owner.auth)
const edit = (owner: TestUser, id: string, academicYear: string, instructor: string) => {
  const details = { courseCode: 'ZZZ999', academicYear, instructor, isAnonymous: false }
  return patch(test, `/api/users/me/notes/${id}`, details, owner.auth)
}

it('replaced pages, edits and deletions are searched as they are', async () => {
  const { find, ids, owner, academicYear } = await createLibrary(test, [{ title: 'Draft', pages: ['old words'] }])
  const [id = ''] = ids
  await writePages(test, id, ['new words'])
  expect([await find('"old words"'), await find('old'), await find('new')]).toEqual([[], [], ['Draft']])
  await edit(owner, id, academicYear, 'Dr. Later')
  expect([await find('later'), await find('later new')]).toEqual([['Draft'], ['Draft']])
  await remove(owner, id)
  expect([await find('draft'), await find('new')]).toEqual([[], []])
  const left = await Promise.all([
    db.selectFrom('note_search').selectAll().where('note_id', '=', id).execute(),
    db.selectFrom('note_text').selectAll().where('note_id', '=', id).execute(),
    db.selectFrom('document_pages').selectAll().where('text', '=', 'new words').execute(),
  ])
  expect(left.flat()).toEqual([])
})

it('a text is left to the next run while words are counted', async () => {
  const { find, ids } = await createLibrary(test, [{ title: 'Counted', pages: ['patience'] }])
  const [noteId = ''] = ids
  const { id } = await documentOf(test, noteId)
  await sql`DELETE FROM note_text WHERE note_id = ${noteId}`.execute(db)
  await queueIndexing(db, id)
  await inTransaction(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('index-notes'))`.execute(tx)
    await indexNotes(db, undefined, 50)
    const indexed = sql`SELECT FROM note_text WHERE note_id = ${noteId}`
    expect((await indexed.execute(db)).rows).toEqual([])
  })
  await indexNotes(db)
  expect(await find('patience')).toEqual(['Counted'])
})

it('texts that are stored while others are indexed wait for one further run together', async () => {
  const { find, ids } = await createLibrary(test, [
    { title: 'First', pages: ['unus'] },
    { title: 'Second', pages: ['duo'] },
  ])
  const [first = '', second = ''] = await Promise.all(ids.map(async (id) => (await documentOf(test, id)).id))
  await sql`DELETE FROM note_text WHERE note_id = ANY (${ids}::uuid[])`.execute(db)
  const statements = await recordSql(test, async (recorded) => {
    const index = () => indexSoon({ db: recorded, log: quietLog }, new AbortController().signal)
    const runs = await inTransaction(db, async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('index-notes'))`.execute(tx)
      await queueIndexing(db, first)
      const running = index()
      await queueIndexing(db, second)
      return [running, index(), index(), index()]
    })
    await Promise.all(runs)
  })
  expect(statements.filter(({ text }) => text.includes('DELETE FROM index_queue'))).toHaveLength(2)
  expect([await find('unus'), await find('duo')]).toEqual([['First'], ['Second']])
})

it('a page of text and a new instructor that arrive simultaneously are both found', async () => {
  for (let round = 0; round < 8; round++) {
    const { find, ids, owner, academicYear } = await createLibrary(test, [{ title: 'Both' }])
    const [id = ''] = ids
    const written = writePages(test, id, ['pagetext'])
    const [edited] = await Promise.all([edit(owner, id, academicYear, 'Dr. Teacher'), written])
    expect(edited.statusCode).toBe(200)
    expect(await find('pagetext teacher')).toEqual(['Both'])
  }
})

it('a deletion while its pages are written leaves nothing, and neither waits for the other', async () => {
  for (let round = 0; round < 8; round++) {
    const { find, ids, owner } = await createLibrary(test, [{ title: 'Going' }])
    const [id = ''] = ids
    const [, removed] = await Promise.all([writePages(test, id, ['lost']).catch(() => {}), remove(owner, id)])
    expect(removed.statusCode).toBe(204)
    expect(await find('lost')).toEqual([])
    expect(await db.selectFrom('note_search').selectAll().where('note_id', '=', id).execute()).toEqual([])
  }
})

it('searches meet no error while everything changes', async () => {
  const moving = Array.from({ length: 12 }, (_, n) => ({ title: `Moving ${n}`, pages: ['moving target'] }))
  const { ids, owner, academicYear } = await createLibrary(test, moving)
  let isDone = false
  const searches = (async () => {
    const statuses = new Set<number>()
    while (!isDone) {
      const response = await search(test, owner, { text: '"moving target"', academicYear })
      statuses.add(response.statusCode)
      for (const { note, snippets } of (response.json() as SearchPage).hits)
        expect([note.title.startsWith('Moving'), snippets.length <= 1]).toEqual([true, true])
    }
    return statuses
  })()
  await Promise.all(
    ids.map(async (id, n) => {
      if (n % 3 === 0) await writePages(test, id, ['moving target', 'again'])
      else if (n % 3 === 1) await edit(owner, id, academicYear, 'Dr. Quick')
      await remove(owner, id)
    }),
  )
  isDone = true
  expect(await searches).toEqual(new Set([200]))
})

const orders = ['relevance', 'createdAt', 'likes']
it.each(orders)('load more by %s shows notes that stay once, as others come and go', async (sortBy) => {
  const count = 30
  const { ids, owner, academicYear, ask } = await createLibrary(
    test,
    Array.from({ length: count }, (_, n) => ({
      title: n % 3 === 0 ? `Sorted ${n}` : `Other ${n}`,
      // Many notes share the same date and number of likes.
      createdAt: new Date(Date.UTC(2025, 0, 1 + (n % 4))).toISOString(),
      likes: n % 5,
      pages: ['sorted'],
    })),
  )
  const seen: string[] = []
  let cursor: string | null = null
  for (let page = 0; page === 0 || cursor; page++) {
    const { hits, next } = await ask('sorted', { sortBy, ...(cursor && { cursor }) })
    seen.push(...hits.map(({ note }) => note._id))
    cursor = next
    const gone = ids.find((id) => !seen.includes(id) && !kept(id))
    if (gone) await remove(owner, gone)
    await createNote(test, owner, { title: 'Sorted, late', academicYear, createdAt: '2026-01-01T00:00:00.000Z' })
  }
  function kept(id: string) {
    return ids.indexOf(id) % 7 !== 0
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(ids.filter((id) => kept(id) && !seen.includes(id))).toEqual([])
})

it('a word is forgotten with its last note, and no other', async () => {
  const { ids, owner, find } = await createLibrary(test, [{ title: 'Palimpsest' }, { title: 'Palimpsest, Quokka' }])
  expect(await find('quokka')).toHaveLength(1)
  const countOf = async (word: string) =>
    (await db.selectFrom('search_words').select('notes').where('word', '=', word).executeTakeFirst())?.notes
  expect(await countOf('palimpsest')).toBe(2)
  await remove(owner, ids[1] ?? '')
  await correctCounts(db)
  expect([await countOf('palimpsest'), await countOf('quokka')]).toEqual([1, undefined])
})
