import type { Db, Tx } from '../../../platform/db/pool.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { deleteLoginChallenges } from '../../auth/two-factor/login-challenges.ts'
import { getIdentityWords } from '../../search/text-analysis/identity.ts'
import * as queries from './users.queries.ts'

export type User = queries.User

/** Parts of others' statements, so that nobody else has to know the tables and nobody asks twice. */
export const { selectPublicUsers, selectAccounts, loginOf } = queries

export const findUser: (db: Db, by: { id: string } | { email: string }) => Promise<User | null> = queries.findUser

/** @throws unauthorized when the user is gone. */
export const getUser = async (db: Db, id: string): Promise<User> =>
  (await queries.findUser(db, { id })) ?? fail('unauthorized')

/** Moderators and admins. */
export const countModerators: (db: Db) => Promise<number> = queries.countModerators
export const isOnlyAdmin: (db: Db, id: string) => Promise<boolean> = queries.isOnlyAdmin

/** What those of these ids that are users are called, and mailed at. */
export const findAccounts = async (db: Db, ids: string[]): Promise<Map<string, Pick<User, 'name' | 'email'>>> =>
  new Map((await queries.findAccounts(db, ids)).map(({ id, name, email }) => [id, { name, email }]))

/** @returns the id, or null when the e-mail has a user already. */
export async function createUser(
  tx: Tx,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<string | null> {
  const id = await queries.insertUser(tx, { name, email })
  if (id !== null) await queries.savePassword(tx, id, passwordHash)
  return id
}

/** Whoever changes something that a user has once waits for whoever is changing it. */
export const lockUser: (tx: Tx, id: string) => Promise<void> = queries.lockUser

/** Of a name of three words and an address there are some ten. */
const maxFormerWords = 200

/** Whom the caller has locked. What they were called before goes on being known to name them. */
export const renameUser = (tx: Tx, id: string, name: string): Promise<void> => changeIdentity(tx, id, { name })

/** As `renameUser`. @throws PostgreSQL's unique violation where the e-mail has a user. */
export const changeEmail = (tx: Tx, id: string, email: string): Promise<void> => changeIdentity(tx, id, { email })

async function changeIdentity(tx: Tx, id: string, change: { name: string } | { email: string }): Promise<void> {
  const formerWords = getIdentityWords(await getUser(tx, id)).slice(0, maxFormerWords)
  await queries.updateIdentity(tx, id, { ...change, formerWords })
}

export const changeRole: (tx: Tx, id: string, role: User['role']) => Promise<void> = queries.updateRole

/** Whether the account was made within so many seconds. */
export const isYoungerThan: (db: Db, id: string, seconds: number) => Promise<boolean> = queries.wasCreatedWithin

/** What the user's password is compared with; null where there is none to log in with. */
export const findPassword: (db: Db, userId: string) => Promise<string | null> = queries.findPassword

/** Logins that wait for a code were begun with the password before, so they end. */
export async function savePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await queries.savePassword(tx, userId, passwordHash)
  await deleteLoginChallenges(tx, userId)
}

/** True while the password is the one that was compared with; until the transaction ends nobody can change it. */
export const lockPassword: (tx: Tx, userId: string, passwordHash: string) => Promise<boolean> = queries.lockPassword

/** @returns false when the password is no longer the one that was compared with. */
export async function replacePassword(tx: Tx, userId: string, before: string, after: string): Promise<boolean> {
  const isReplaced = await queries.replacePassword(tx, userId, before, after)
  if (isReplaced) await deleteLoginChallenges(tx, userId)
  return isReplaced
}

/** Nobody logs in to the account until a new one is chosen by a link in its mailbox. */
export const voidPassword: (tx: Tx, userId: string) => Promise<void> = queries.deletePassword

/** When an account goes, and what becomes of its notes. Once that moment has come nothing changes it. */
export const { cancelDeletion, findUsersDueForDeletion, findLeaving, lockUserDueForDeletion, scheduleDeletion } =
  queries
