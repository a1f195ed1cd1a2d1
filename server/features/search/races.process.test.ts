import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { SearchPage } from '../../../packages/contract/search.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { changeIdentity } from '../accounts/users/users.ts'
import * as notes from '../notes/notes.queries.ts'
import { savePages } from '../uploads/documents/text.ts'
import { indexNotes } from './index-notes.ts'

const test = await openTestApp()
const { db } = test.deps
const rounds = 300

/** Lists the notes whose rows in `note_search` and `note_text` are inconsistent with the note. */
const inconsistencies = sql<{ id: string; problem: string }>`
  SELECT n.id, 'hidden' AS problem FROM notes n LEFT JOIN note_search s ON s.note_id = n.id
   WHERE s.hidden IS DISTINCT FROM (n.hidden_at IS NOT NULL)
  UNION ALL
  SELECT n.id, 'author' FROM notes n JOIN note_search s ON s.note_id = n.id LEFT JOIN users u ON u.id = n.user_id
   WHERE (s.words @@ 'awexford | alunt'::tsquery) <> (NOT n.is_anonymous)
      OR (NOT n.is_anonymous AND NOT s.words @@ to_tsquery('simple', 'a' || lower(split_part(u.name, ' ', 2))))
  UNION ALL
  SELECT n.id, 'title' FROM notes n JOIN note_search s ON s.note_id = n.id
   WHERE NOT s.words @@ to_tsquery('simple', 't' || lower(n.title))
  UNION ALL
  SELECT n.id, 'text' FROM notes n LEFT JOIN note_text x ON x.note_id = n.id
   WHERE NOT coalesce(x.words @@ quote_literal('=' || lower(n.title))::tsquery, false)
      OR coalesce((SELECT string_agg(btrim(split_part(p.words, '|', 1)), ' ') FROM document_pages p WHERE p.document_id = n.document_id), '')
         <> coalesce((SELECT string_agg(substr(w, 2), ' ') FROM unnest(tsvector_to_array(x.words)) AS w WHERE w LIKE '=page%'), '')`

it('simultaneous edits, hiding, deletion, suspension, anonymising, a new name and new text leave both rows consistent with the note', {
  timeout: 600_000,
}, async () => {
  const author = await createUser(test, { name: 'Ottoline Wexford' })
  const reader = await createUser(test)
  const names = ['Ottoline Wexford', 'Perpetua Lunt']
  const random = (below: number) => Math.floor(Math.random() * below)
  let title = 0
  for (let round = 0; round < rounds; round++) {
    const ids = await Promise.all(
      [0, 1, 2].map(() => createNote(test, author, { title: `Title${title++}`, courseCode: 'RAC1' })),
    )
    const change = (run: (tx: Tx) => Promise<unknown>) => inTransaction(db, run)
    const pick = () => ids[random(ids.length)] ?? ''
    const write = async (tx: Tx) => {
      const ofNote = tx.selectFrom('notes').select('document_id').where('id', '=', pick())
      const { document_id } = await ofNote.forNoKeyUpdate().executeTakeFirstOrThrow()
      await savePages(tx, document_id, [{ page: 1, text: `page${random(1_000)}` }])
    }
    const changes = [
      () => change((tx) => notes.updateTitles(tx, [{ id: pick(), title: `Title${title++}` }])),
      () => change((tx) => notes.setHidden(tx, pick(), random(2) ? { rule: 'exam', reason: 'An exam.' } : null)),
      () => change((tx) => notes.hideAttributedNotes(tx, author.id)),
      () => change((tx) => notes.restoreSuspendedNotes(tx, author.id)),
      () => change((tx) => tx.updateTable('notes').set({ is_anonymous: true }).where('id', '=', pick()).execute()),
      () => change((tx) => tx.deleteFrom('notes').where('id', '=', pick()).execute()),
      () => change((tx) => changeIdentity(tx, author.id, { name: names[random(2)] ?? '' })),
      () => change(write),
      () => indexNotes(db),
    ]
    const unnamed = sql<{ id: string }>`SELECT id FROM notes WHERE is_anonymous OR hidden_at IS NOT NULL`
    const before = new Set((await unnamed.execute(db)).rows.map(({ id }) => id))
    const found = (async () => {
      const url = '/api/search?text=ottoline perpetua wexford lunt'
      const { hits } = (await test.app.inject({ url, headers: reader.auth })).json<SearchPage>()
      return hits.filter(({ missing }) => missing.length < 4).map(({ note }) => note._id)
    })()
    const results = await Promise.allSettled([...changes, ...changes].sort(() => random(3) - 1).map((run) => run()))
    // A statement may fail in a deadlock, which leaves no changes.
    for (const result of results)
      if (result.status === 'rejected') expect(String(result.reason)).toMatch(/deadlock|no result/)
    // A note that was anonymous or hidden before the search is never found by the name.
    for (const id of await found) expect(before.has(id)).toBe(false)
    await indexNotes(db)
    expect((await inconsistencies.execute(db)).rows, `round ${round}`).toEqual([])
    await db.deleteFrom('notes').execute()
  }
})
