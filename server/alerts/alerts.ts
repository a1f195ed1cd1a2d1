import { startReset } from '../accounts/accounts.ts'
import { linkToken } from '../accounts/token.ts'
import type { Db } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { JobContext } from '../jobs/job.ts'
import { nameNobody } from '../mail/failed-delivery.ts'
import type { Mail } from '../mail/mailer.ts'
import { passwordChangedMail } from '../mail/templates/password-changed.ts'
import { hashToken } from '../secret.ts'
import { endSessionsOfUser } from '../sessions/sessions.ts'
import { findUser, lockUser, voidPassword } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

/** As long as one may change one's mind about leaving: a week without mails is not rare. */
const alertTtlSeconds = 7 * 24 * 3600
const unsentDays = 30

/** The handler of `alertMail`. The link is made here, so that no token ever lies in the queue. */
export async function sendAlert(
  deps: Pick<Deps, 'db' | 'mailer' | 'config' | 'secret'>,
  { alertId }: { alertId: string },
  { jobId }: JobContext,
): Promise<void> {
  const alert = await queries.findAlert(deps.db, alertId)
  const account = alert && (await findUser(deps.db, { id: alert.userId }))
  if (!account) return
  const token = linkToken(deps.secret, jobId)
  await queries.saveAlertToken(deps.db, alert.id, hashToken(token), alertTtlSeconds)
  const mail = writeAlert(alert, account.name, deps.config.publicUrl, token)
  await deps.mailer.send({ ...mail, messageId: jobId }).catch((error) => {
    throw nameNobody(error, mail.to)
  })
}

type Alert = NonNullable<Awaited<ReturnType<typeof queries.findAlert>>>

function writeAlert({ kind, email }: Alert, name: string, publicUrl: string, token: string): Mail {
  switch (kind) {
    case 'password-changed':
      return passwordChangedMail(email, name, publicUrl, token)
  }
}

/**
 * What the owner of an account says of an alert: "this was not me". Whoever is signed in is no longer, the password is
 * void, and whoever has the mailbox chooses a new one. Alerts that came before stay: of two who claim an account, the one
 * who was told first has the last word.
 * @returns the token to choose a password with.
 * @throws alert_link_invalid
 */
export function disownChange({ db }: Pick<Deps, 'db'>, token: string): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const tokenHash = hashToken(token)
    const userId = (await queries.findUserOfAlert(tx, tokenHash)) ?? fail('alert_link_invalid')
    await lockUser(tx, userId)
    if ((await queries.consumeAlert(tx, tokenHash)) === null) fail('alert_link_invalid')
    await voidPassword(tx, userId)
    await endSessionsOfUser(tx, userId)
    return startReset(tx, userId)
  })
}

export const deleteOldAlerts = (db: Db): Promise<void> => queries.deleteOldAlerts(db, unsentDays)
