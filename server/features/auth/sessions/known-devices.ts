import { createHmac } from 'node:crypto'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { deriveSecret } from '../../../platform/db/secret.ts'
import { countAlerts } from '../../accounts/security-alerts/send-alert.ts'
import { isYoungerThan } from '../../accounts/users/users.ts'
import * as queries from './sessions.queries.ts'

/** Where somebody logs in. */
export type Device = {
  /** The random name in its cookie. */
  name: string
  /** What its student knows it by. */
  label: string | null
  /** Its cookie says that it has logged in to the account before, maybe when no device was written down yet. */
  isKnown: boolean
}

/** In an hour. Past so many nobody learns more from another: whoever has the password could fill the mailbox. */
const maxNotifications = 10
const toldWithinSeconds = 3600
/** The first login of an account that was made a moment ago is nobody's surprise. */
const freshSeconds = 24 * 3600

/** Whether its owner has to be told of a login there. */
export async function isNewDevice(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  userId: string,
  device: Device,
): Promise<boolean> {
  const known = await queries.findDevices(db, userId, hashDevice(secret, userId, device), distrustMarker)
  if (known.hasThis || (device.isKnown && !known.hasForgotten)) return false
  return known.hasAny || !(await isYoungerThan(db, userId, freshSeconds))
}

/** Whether the mailbox of who is held may get one more such mail. */
export const canNotifyOfDevice = async (tx: Tx, userId: string): Promise<boolean> =>
  (await countAlerts(tx, userId, 'new-device', toldWithinSeconds)) < maxNotifications

/** Stands for all that were forgotten: what their cookies say counts no more. */
const distrustMarker = Buffer.alloc(0)

/** The next login is told of, wherever it is. */
export const distrustDevices = (tx: Tx, userId: string): Promise<void> =>
  queries.replaceDevices(tx, userId, distrustMarker)

export const rememberDevice = (tx: Tx, secret: string, userId: string, device: Device): Promise<void> =>
  queries.upsertDevice(tx, userId, hashDevice(secret, userId, device))

const hashDevice = (secret: string, userId: string, { name }: Device) =>
  createHmac('sha256', deriveSecret(secret, 'known-device')).update(`${name} ${userId}`).digest()
