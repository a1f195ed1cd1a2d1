import { createHash } from 'node:crypto'
import { expect } from '@playwright/test'
import { sql } from 'kysely'
import type { OcrText } from '../packages/contract/reading-progress.ts'
import { unsubscribeToken } from '../server/features/courses/course-digests.ts'
import { hashToken } from '../server/platform/db/secret.ts'
import type { Lectern } from './lectern.ts'
import type { Student } from './test.ts'

/** Makes the link with this token as old as an expired one. */
export async function expireLink({ db }: Lectern, token: string): Promise<void> {
  const expired = db.updateTable('account_tokens').set({ expires_at: sql<Date>`now() - interval '1 second'` })
  const { numUpdatedRows } = await expired.where('token_hash', '=', hashToken(token)).executeTakeFirst()
  expect(numUpdatedRows).toBe(1n)
}

/** Stores words as if they had been recognised on a page of a note. */
export async function insertOcrText({ db }: Lectern, noteId: string, page: number, words: OcrText['words']) {
  await sql`
    INSERT INTO document_pages (document_id, page, text, ocr_words)
    SELECT document_id, ${page}, ${words.map(({ text }) => text).join(' ')}, ${JSON.stringify(words)}::jsonb
      FROM notes WHERE id = ${noteId}`.execute(db)
}

/** Adds `count` listed courses without notes, whose codes begin with the same letters. */
export async function listCourses({ db }: Lectern, letters: string, count: number): Promise<void> {
  await sql`
    INSERT INTO course_names (course_key, code, name, words, fold_version)
    SELECT code, code, 'Listed', to_tsvector('simple', code), 1000
      FROM generate_series(1, ${count}::int) n, format('%s%s', ${letters}::text, to_char(n, 'FM000')) AS code`.execute(
    db,
  )
}

/** Returns the token of the unsubscribe link in this student's mails about courses. */
export async function unsubscribeTokenOf({ id, lectern: { db, secret } }: Student): Promise<string> {
  const mail = await db.selectFrom('course_digests').select('id').where('user_id', '=', id).executeTakeFirstOrThrow()
  return unsubscribeToken(secret, mail.id)
}

/** Marks an address as if its mail server had rejected it repeatedly. */
export async function markEmailBouncing({ db }: Lectern, email: string): Promise<void> {
  const address_sha256 = createHash('sha256').update(email).digest()
  await db.insertInto('mail_suppressions').values({ address_sha256 }).execute()
}
