import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { deriveSecret } from '../../../platform/db/secret.ts'
import { countAlerts } from '../../accounts/security-alerts/send-alert.ts'
import { isYoungerThan } from '../../accounts/users/users.ts'
import * as queries from './sessions.queries.ts'

export type Device = {
  /** The random name in its cookie. */
  name: string
  /** The label that the user sees. */
  label: string | null
  /** Its cookie proves an earlier login to the account, which may predate the recording of devices. */
  isKnown: boolean
}

/** This limit is per hour. More mails add nothing, and an attacker with the password could fill the mailbox. */
const maxNotifications = 10
const toldWithinSeconds = 3600
/** The first login to a recently created account needs no alert. */
const freshSeconds = 24 * 3600

/** Returns whether the owner must be alerted to a login on this device. */
export async function isNewDevice(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  userId: string,
  device: Device,
): Promise<boolean> {
  const known = await queries.findDevices(db, userId, hashDevice(secret, userId, device), distrustMarker)
  if (known.hasThis || (device.isKnown && !known.hasForgotten)) return false
  return known.hasAny || !(await isYoungerThan(db, userId, freshSeconds))
}

/** Returns whether the mailbox may get one more alert. The caller has locked the user. */
export const canNotifyOfDevice = async (tx: Tx, userId: string): Promise<boolean> =>
  (await countAlerts(tx, userId, 'new-device', toldWithinSeconds)) < maxNotifications

/**
 * Stored in place of all device hashes when a user's devices are distrusted. While it is present, a device cookie alone
 * does not make a device known.
 */
const distrustMarker = Buffer.alloc(0)

/** The next login on any device causes an alert. */
export const distrustDevices = (tx: Tx, userId: string): Promise<void> =>
  queries.replaceDevices(tx, userId, distrustMarker)

export const rememberDevice = (tx: Tx, secret: string, userId: string, device: Device): Promise<void> =>
  queries.upsertDevice(tx, userId, hashDevice(secret, userId, device))

const hashDevice = (secret: string, userId: string, { name }: Device) =>
  createHmac('sha256', deriveSecret(secret, 'known-device')).update(`${name} ${userId}`).digest()

/** The first match counts. Browsers name those they descend from, so the newest come first. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]
const maxUserAgentLength = 1_000

/**
 * Returns the label that a student sees, such as `Firefox on Windows`. Nothing else of the user agent is stored, and
 * labels are never the client's own text. Null when neither browser nor system is recognised.
 */
export function labelDevice(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, maxUserAgentLength)
  const [browser, system] = [browsers, systems].map((list) => list.find(([sign]) => sign.test(text))?.[1])
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

export const getDeviceLabel = ({ headers }: FastifyRequest): string | null => labelDevice(headers['user-agent'])
