import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../server/db/pool.ts'
import { inTransaction } from '../../server/db/transaction.ts'
import { savePages } from '../../server/documents/pages.ts'
import { insertNotes } from '../../server/notes/notes.queries.ts'
import { indexNotes } from '../../server/search/index-notes.ts'
import { digests, judgedLibrary } from './library.ts'

/** @returns the library's keys by id. */
export async function fillJudged(db: Db, userId: string): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (const { key, title, courseCode, instructor, pages } of [...judgedLibrary, ...digests]) {
    await inTransaction(db, async (tx) => {
      const document = {
        fileKey: randomUUID(),
        bytes: 1,
        sha256: createHash('sha256').digest(),
        pageCount: 1,
        drawnPages: [],
      }
      const given = { userId, title, courseCode, instructor, academicYear: '2025–26', isAnonymous: false }
      const [id = ''] = await insertNotes(tx, [{ ...given, sourceSha256: null, document }])
      keys.set(id, key)
      const note = await tx.selectFrom('notes').select('document_id').where('id', '=', id).executeTakeFirstOrThrow()
      await savePages(
        tx,
        note.document_id,
        // What a note is about it says more than once.
        [...pages, ...(key.startsWith('digest') ? [] : pages)].map((text, index) => ({ page: index + 1, text })),
      )
    })
  }
  await indexNotes(db)
  return keys
}
