import { sql } from 'kysely'
import type { NotesOnDeletion } from '../../../../packages/contract/settings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/time.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { toTsvector } from '../../search/text-analysis/fold.ts'

/** A user has proved to own the email. */
export type User = Viewer & {
  name: string
  email: string
  createdAt: Date
  formerWords: string[]
  leavingAt: Date | null
  /** The deletion is due, though its job may still be processing notes: the account can no longer be used. */
  isDeletionDue: boolean
}

/** A FROM item for slices whose rows belong to a user. PostgreSQL plans it like the table. */
export const selectPublicUsers = sql<Pick<User, 'id' | 'role' | 'name'>>`(SELECT id, role, name FROM users)`

/** Selects the hash that a login compares the password with. */
export const selectLogin = (email: string) => sql<{ userId: string; passwordHash: string }>`
  SELECT u.id AS "userId", p.password_hash AS "passwordHash"
    FROM users u JOIN passwords p ON p.user_id = u.id WHERE u.email = ${email}`

export async function findUser(db: Db, by: { id: string } | { email: string }): Promise<User | null> {
  const select = db
    .selectFrom('users')
    .select(['id', 'role', 'name', 'email', 'created_at as createdAt'])
    .select(['former_name_words as formerWords', 'deletion_due_at as leavingAt'])
    .select(sql<boolean>`coalesce(deletion_due_at <= now(), false)`.as('isDeletionDue'))
  const row = await ('id' in by
    ? select.where('id', '=', by.id)
    : select.where('email', '=', by.email)
  ).executeTakeFirst()
  return row ? { ...row, role: row.role as Viewer['role'] } : null
}

/** Suspended moderators are counted as well, because a lower number would reveal who is suspended. */
export async function countModerators(db: Db): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((user) => user.fn.countAll<number>().as('count'))
    .where('role', '<>', 'student')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Returns whether all other admins, if there are any, have asked to delete their accounts. */
export async function isOnlyAdmin(db: Db, id: string): Promise<boolean> {
  const admins = db.selectFrom('users').select('id').where('role', '=', 'admin')
  const other = admins.where('id', '<>', id).where('deletion_due_at', 'is', null).limit(1)
  return (await other.executeTakeFirst()) === undefined
}

export async function findAccounts(db: Db, ids: string[]): Promise<Pick<User, 'id' | 'name' | 'email'>[]> {
  return db.selectFrom('users').select(['id', 'name', 'email']).where(sql<boolean>`id = ANY(${ids}::uuid[])`).execute()
}

/** A FROM item for the admins' search for accounts. */
export const selectAccounts = sql<
  Pick<User, 'id' | 'role' | 'name' | 'email'>
>`(SELECT id, role, name, email FROM users)`

export async function insertUser(tx: Tx, user: { name: string; email: string }): Promise<string | null> {
  const row = await tx
    .insertInto('users')
    .values({ ...user, name_words: wordsOfName(user.name) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export async function updateRole(tx: Tx, id: string, role: Viewer['role']): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', id).execute()
}

type Naming = { name?: string; email?: string; formerWords: string[] }

/** @throws PostgreSQL's unique violation when the email has a user. */
export async function updateIdentity(tx: Tx, id: string, { name, email, formerWords }: Naming): Promise<void> {
  const words = name === undefined ? {} : { name_words: wordsOfName(name) }
  await tx
    .updateTable('users')
    .set({ name, email, former_name_words: formerWords, ...words })
    .where('id', '=', id)
    .execute()
}

const wordsOfName = (name: string) => sql<string>`${toTsvector(name)}::tsvector`

export async function wasCreatedWithin(db: Db, id: string, seconds: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '>', inSeconds(-seconds))
    .executeTakeFirst()
  return row !== undefined
}

export async function findPassword(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('passwords').select('password_hash').where('user_id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

export async function savePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .insertInto('passwords')
    .values({ user_id: userId, password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: passwordHash }))
    .execute()
}

export async function lockPassword(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('passwords')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when the password has changed meanwhile. */
export async function replacePassword(tx: Tx, userId: string, before: string, after: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passwords')
    .set({ password_hash: after })
    .where('user_id', '=', userId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passwords').where('user_id', '=', userId).execute()
}

export type PendingDeletion = { at: Date; email: string; notes: NotesOnDeletion }
const selectLeaver = (db: Db, id: string) =>
  db
    .selectFrom('users')
    .select(['deletion_due_at as at', 'email', 'notes_on_deletion as notes'])
    .where('id', '=', id)
    .where('deletion_due_at', 'is not', null)
    .$castTo<PendingDeletion>()

export async function findPendingDeletion(db: Db, id: string): Promise<PendingDeletion | null> {
  return (await selectLeaver(db, id).executeTakeFirst()) ?? null
}

/** @returns false when the deletion is already due. */
export async function scheduleDeletion(tx: Tx, id: string, days: number, notes: NotesOnDeletion): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ deletion_due_at: inSeconds(days * 24 * 3600), notes_on_deletion: notes })
    .where('id', '=', id)
    .where(sql<boolean>`(deletion_due_at IS NULL OR deletion_due_at > now())`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Does nothing when the deletion is already due. */
export async function cancelDeletion(db: Db, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ deletion_due_at: null, notes_on_deletion: null })
    .where('id', '=', id)
    .where('deletion_due_at', '>', sql<Date>`now()`)
    .execute()
}

export async function findUsersDueForDeletion(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('deletion_due_at', '<=', sql<Date>`now()`).execute()
  return rows.map(({ id }) => id)
}

/** Locks like `lockUser`: a user who rates one of the notes meanwhile holds the note and refers to its author last. */
export async function lockUserDueForDeletion(tx: Tx, id: string): Promise<PendingDeletion | null> {
  const row = await selectLeaver(tx, id)
    .where('deletion_due_at', '<=', sql<Date>`now()`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}
