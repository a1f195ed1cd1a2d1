import type { Db, Tx } from '../../../platform/db/pool.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { deleteLoginChallenges } from '../../auth/two-factor/login-challenges.ts'
import { getIdentityWords } from '../../search/text-analysis/identity.ts'
import * as queries from './users.queries.ts'

export type User = queries.User

/** Other slices embed these in their statements, so that they need neither the tables nor a second query. */
export const { selectPublicUsers, selectAccounts, selectLogin } = queries

export const findUser: (db: Db, by: { id: string } | { email: string }) => Promise<User | null> = queries.findUser

/** @throws unauthorized when the user no longer exists. */
export const getUser = async (db: Db, id: string): Promise<User> =>
  (await queries.findUser(db, { id })) ?? fail('unauthorized')

/** Counts moderators and admins. */
export const countModerators: (db: Db) => Promise<number> = queries.countModerators
export const isOnlyAdmin: (db: Db, id: string) => Promise<boolean> = queries.isOnlyAdmin

/** Maps those ids that belong to users to name and email. */
export const findAccounts = async (db: Db, ids: string[]): Promise<Map<string, Pick<User, 'name' | 'email'>>> =>
  new Map((await queries.findAccounts(db, ids)).map(({ id, name, email }) => [id, { name, email }]))

/** @returns the id, or null when the email already has a user. */
export async function createUser(
  tx: Tx,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<string | null> {
  const id = await queries.insertUser(tx, { name, email })
  if (id !== null) await queries.savePassword(tx, id, passwordHash)
  return id
}

/** Call this before changing anything that exists once per user; parallel callers wait for each other. */
export const lockUser: (tx: Tx, id: string) => Promise<void> = queries.lockUser

/** A name of three words and an address have about ten words. */
const maxFormerWords = 200

/** The caller has locked the user. The words of the former name still count as identifying the user. */
export const renameUser = (tx: Tx, id: string, name: string): Promise<void> => changeIdentity(tx, id, { name })

/** Works like `renameUser`. @throws PostgreSQL's unique violation when the email has a user. */
export const changeEmail = (tx: Tx, id: string, email: string): Promise<void> => changeIdentity(tx, id, { email })

async function changeIdentity(tx: Tx, id: string, change: { name: string } | { email: string }): Promise<void> {
  const formerWords = getIdentityWords(await getUser(tx, id)).slice(0, maxFormerWords)
  await queries.updateIdentity(tx, id, { ...change, formerWords })
}

export const changeRole: (tx: Tx, id: string, role: User['role']) => Promise<void> = queries.updateRole

export const isYoungerThan: (db: Db, id: string, seconds: number) => Promise<boolean> = queries.wasCreatedWithin

/** Returns the hash to compare a password with; null when the user has none to log in with. */
export const findPassword: (db: Db, userId: string) => Promise<string | null> = queries.findPassword

/** Pending login challenges began with the previous password, so they end. */
export async function savePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await queries.savePassword(tx, userId, passwordHash)
  await deleteLoginChallenges(tx, userId)
}

/** Returns true while the password is the compared one; no other transaction can change it until this one ends. */
export const lockPassword: (tx: Tx, userId: string, passwordHash: string) => Promise<boolean> = queries.lockPassword

/** @returns false when the password is no longer the compared one. */
export async function replacePassword(tx: Tx, userId: string, before: string, after: string): Promise<boolean> {
  const isReplaced = await queries.replacePassword(tx, userId, before, after)
  if (isReplaced) await deleteLoginChallenges(tx, userId)
  return isReplaced
}

/** Blocks logins by password until a new one is chosen by a link in the account's mailbox. */
export const deletePassword: (tx: Tx, userId: string) => Promise<void> = queries.deletePassword

/** A scheduled deletion and the choice for its notes cannot be changed once it is due. */
export const {
  cancelDeletion,
  findUsersDueForDeletion,
  findPendingDeletion,
  lockUserDueForDeletion,
  scheduleDeletion,
} = queries
