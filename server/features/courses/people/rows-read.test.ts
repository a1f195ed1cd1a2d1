import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { pageSize } from '../../../../packages/contract/limits.ts'
import { createQueryRunner, createQueryWithTimeout } from '../../../platform/db/query-with-timeout.ts'
import { asViewer, createUser, openTestApp, type TestUser } from '../../../testing/app.ts'
import { countNotesRead, disableAutovacuum } from '../../../testing/count-reads.ts'
import { insertManyNotes } from '../../../testing/search-fixtures.ts'
import { getPersonProfile, listNotesOf } from './people.ts'

const test = await openTestApp()
const byName = 60
// With so many notes PostgreSQL estimates that this author shares a large part of all notes by name.
const anonymous = 9_000
const ofOthers = 9_000
let reader: TestUser
let open: TestUser
let shy: TestUser

/** Inserts notes one minute apart, with the same likes for each author. */
const share = (user: TestUser, isAnonymous: boolean, count: number) => {
  const created_at = `now() - n * interval '1 minute'`
  return insertManyNotes(test, user, count, { is_anonymous: String(isAnonymous), created_at, likes: 'n % 50' })
}

beforeAll(async () => {
  await disableAutovacuum(test.deps.db, ['notes'])
  ;[reader, open, shy] = await Promise.all([createUser(test), createUser(test), createUser(test)])
  const { db } = test.deps
  for (let part = 0; part < 5; part++) await share(await createUser(test), false, ofOthers / 5)
  await share(open, false, byName)
  await share(shy, false, byName)
  await share(shy, true, anonymous)
  await sql`VACUUM ANALYZE notes`.execute(db)
})

const countRead = (author: TestUser, sortBy: 'createdAt' | 'likes') =>
  countNotesRead(test, async (db) => {
    await getPersonProfile(db, asViewer(reader), author.id)
    await listNotesOf(createQueryRunner(db, createQueryWithTimeout(db, 2)), asViewer(reader), author.id, { sortBy })
  })

it.each(['createdAt', 'likes'] as const)('reads no anonymous note, by %s', async (sortBy) => {
  for (const author of [open, shy]) {
    const read = await countRead(author, sortBy)
    // All notes for the count, one for the check that there are any, and a page plus one note.
    expect(read).toBeGreaterThanOrEqual(byName + 1 + pageSize + 1)
    // PostgreSQL may sort so few notes instead.
    expect(read).toBeLessThanOrEqual(byName + 1 + byName)
  }
})
