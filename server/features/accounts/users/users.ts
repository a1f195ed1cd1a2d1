import { sql } from 'kysely'
import type { NotesOnDeletion } from '../../../../packages/contract/settings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { deleteLoginChallenges } from '../../auth/sessions/revoke-access.ts'
import { toTsvector } from '../../search/text-analysis/fold.ts'
import { getIdentityWords } from '../../search/text-analysis/identity.ts'

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

/** A FROM item for features whose rows belong to a user. PostgreSQL plans it like the table. */
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

/** @throws unauthorized when the user no longer exists. */
export const getUser = async (db: Db, id: string): Promise<User> => (await findUser(db, { id })) ?? fail('unauthorized')

/**
 * Counts moderators and admins. Suspended moderators are counted as well, because a lower number would reveal who is
 * suspended.
 */
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

/** Maps those ids that belong to users to name and email. */
export async function findAccounts(db: Db, ids: string[]): Promise<Map<string, Pick<User, 'name' | 'email'>>> {
  const accounts = db.selectFrom('users').select(['id', 'name', 'email']).where(sql<boolean>`id = ANY(${ids}::uuid[])`)
  return new Map((await accounts.execute()).map(({ id, name, email }) => [id, { name, email }]))
}

/** A FROM item for the admins' search for accounts. */
export const selectAccounts = sql<
  Pick<User, 'id' | 'role' | 'name' | 'email'>
>`(SELECT id, role, name, email FROM users)`

/** @returns the id, or null when the email already has a user. */
export async function createUser(
  tx: Tx,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<string | null> {
  const row = await tx
    .insertInto('users')
    .values({ name, email, name_words: wordsOfName(name) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await savePassword(tx, row.id, passwordHash)
  return row?.id ?? null
}

/** Call this before changing anything that exists once per user; parallel callers wait for each other. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export async function changeRole(tx: Tx, id: string, role: Viewer['role']): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', id).execute()
}

/** A name of three words and an address have about ten words. */
const maxFormerWords = 200

/**
 * The caller has locked the user. The words of the former name and email still count as identifying the user.
 * @throws PostgreSQL's unique violation when the email has a user.
 */
export async function changeIdentity(tx: Tx, id: string, change: { name: string } | { email: string }): Promise<void> {
  const formerWords = getIdentityWords(await getUser(tx, id)).slice(0, maxFormerWords)
  const words = 'name' in change && { name_words: wordsOfName(change.name) }
  await tx
    .updateTable('users')
    .set({ ...change, former_name_words: formerWords, ...words })
    .where('id', '=', id)
    .execute()
}

const wordsOfName = (name: string) => sql<string>`${toTsvector(name)}::tsvector`

export async function isYoungerThan(db: Db, id: string, seconds: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '>', inSeconds(-seconds))
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the hash to compare a password with; null when the user has none to log in with. */
export async function findPassword(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('passwords').select('password_hash').where('user_id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

/** Pending login challenges began with the previous password, so they end. */
export async function savePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx
    .insertInto('passwords')
    .values({ user_id: userId, password_hash: passwordHash })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: passwordHash }))
    .execute()
  await deleteLoginChallenges(tx, userId)
}

/** Returns true while the password is the compared one; no other transaction can change it until this one ends. */
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

/** @returns false when the password is no longer the compared one. */
export async function replacePassword(tx: Tx, userId: string, before: string, after: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passwords')
    .set({ password_hash: after })
    .where('user_id', '=', userId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await deleteLoginChallenges(tx, userId)
  return true
}

/** Blocks logins by password until a new one is chosen by a link in the account's mailbox. */
export async function deletePassword(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passwords').where('user_id', '=', userId).execute()
}

type PendingDeletion = { at: Date; email: string; notes: NotesOnDeletion }
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
export function scheduleDeletion(tx: Tx, id: string, days: number, notes: NotesOnDeletion): Promise<boolean> {
  return hasChangedRow(
    tx
      .updateTable('users')
      .set({ deletion_due_at: inSeconds(days * 24 * 3600), notes_on_deletion: notes })
      .where('id', '=', id)
      .where(sql<boolean>`(deletion_due_at IS NULL OR deletion_due_at > now())`),
  )
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

/**
 * Voids a pending change and its link. New passwords and sign-outs of other devices void it as well, because a stranger
 * may have requested it.
 */
export async function cancelEmailChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute()
}
