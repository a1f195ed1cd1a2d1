import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { writePages } from '../../testing/search-fixtures.ts'
import { indexNotes } from './index-notes.ts'
import { reindexAll } from './reindex.ts'
import { foldVersion } from './text-analysis/fold.ts'

const test = await openTestApp()
const { db } = test.deps
const user = await createUser(test)
const never = new AbortController().signal
const find = async (url: string) =>
  (await test.app.inject({ url, headers: user.auth })).json() as { notes?: unknown[]; hits?: unknown[] }

it('folds again what older rules have folded, so that it is found by the current rules', async () => {
  const id = await createNote(test, user, { title: 'Notes on C++', courseCode: 'CSC 108', instructor: 'Dr. Ünal' })
  await writePages(test, id, ['templates'])
  // The row as an earlier release leaves it.
  await sql`UPDATE notes SET title_words = array_to_tsvector(ARRAY['notes', 'on', 'c']), course_words = '', course_key = 'X',
            instructor_words = '', fold_version = 0`.execute(db)
  await sql`UPDATE document_pages SET words = '', fold_version = 0`.execute(db)
  const urls = ['/api/notes?title=c%2B%2B', '/api/notes?instructor=unal', '/api/notes?courseCode=csc108']
  for (const url of urls) expect((await find(url)).notes).toEqual([])
  expect(await reindexAll(test.deps, never)).toBe(2)
  for (const url of urls) expect((await find(url)).notes).toHaveLength(1)
  await indexNotes(db)
  expect((await find('/api/search?text=csc108 c%2B%2B templates unal')).hits).toHaveLength(1)
  const { fold_version } = await db.selectFrom('notes').select('fold_version').executeTakeFirstOrThrow()
  expect(fold_version).toBe(foldVersion)
  expect(await reindexAll(test.deps, never)).toBe(0)
})

it('continues with the others when one fails, and starts none twice', async () => {
  const titles = ['Fails', 'Follows']
  const ids = (await Promise.all(titles.map((title) => createNote(test, user, { title })))).sort()
  const [failing = '', following = ''] = ids
  for (const id of ids) await writePages(test, id, ['words'])
  await sql`UPDATE notes SET fold_version = 0 WHERE id = ANY(${ids})`.execute(db)
  await sql`UPDATE document_pages p SET fold_version = 0 FROM notes n
             WHERE n.document_id = p.document_id AND n.id = ANY(${ids})`.execute(db)
  await sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.fold_version > 0 AND NEW.id = ${sql.lit(failing)} THEN RAISE 'refused'; END IF; RETURN NEW;
    END $$`.execute(db)
  await sql`CREATE TRIGGER refuse BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(db)
  expect(await reindexAll(test.deps, never)).toBe(3)
  expect(await db.selectFrom('notes').select('id').where('fold_version', '=', 0).execute()).toEqual([{ id: failing }])
  const followed = await db.selectFrom('notes').select('fold_version').where('id', '=', following).execute()
  expect(followed).toEqual([{ fold_version: foldVersion }])
  await sql`DROP TRIGGER refuse ON notes`.execute(db)
  expect(await reindexAll(test.deps, never)).toBe(1)
})
