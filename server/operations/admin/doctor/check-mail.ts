import type { Config } from '../../../config.ts'
import { createSmtpMailer, verifySmtp } from '../../../platform/mail/smtp.ts'
import { describeError, type Log } from '../../../platform/observability/log.ts'
import { asSentence, type Finding, failure, ok, warning } from './finding.ts'

/** @param sendTestTo address of a test mail, or null. */
export async function checkMail(config: Config, sendTestTo: string | null, log: Log): Promise<Finding[]> {
  const { smtpUrl, mailFrom } = config
  if (!smtpUrl) {
    const text = 'SMTP_URL isn’t set. Email goes to DATA_DIR/outbox, so nobody else can register'
    return [sendTestTo ? failure(text) : warning(text)]
  }
  const { host } = new URL(smtpUrl)
  try {
    await verifySmtp(smtpUrl)
  } catch (error) {
    return [failure(`Can’t log in to the mail server ${host}: ${asSentence(describeError(error))} ${adviceOn(error)}`)]
  }
  const found = [ok(`Logged in to the mail server ${host}`)]
  if (sendTestTo) found.push(await sendTest(smtpUrl, mailFrom, sendTestTo, log))
  else found.push(ok('To test delivery, run: lectern admin doctor --send-test ADDRESS'))
  return found
}

async function sendTest(url: string, from: string, to: string, log: Log): Promise<Finding> {
  const mailer = createSmtpMailer({ url, from, log })
  const text = 'This test email was sent by lectern admin doctor.'
  try {
    await mailer.send({ to, subject: 'Test email from Lectern', text, html: `<p>${text}</p>` })
    return ok(`Test email to ${to} accepted. If it doesn’t arrive, check SPF and DKIM for MAIL_FROM’s domain`)
  } catch (error) {
    return failure(
      `Test email to ${to} rejected: ${asSentence(describeError(error))} Check MAIL_FROM, and what the user of SMTP_URL may send`,
    )
  } finally {
    await mailer.close()
  }
}

/** Advice by the error codes of nodemailer and the system. */
const advice: Record<string, string> = {
  EAUTH: 'Check user and password in SMTP_URL. Percent-encode characters such as #',
  EDNS: 'The host in SMTP_URL can’t be resolved',
  ENOTFOUND: 'The host in SMTP_URL can’t be resolved',
  ECONNECTION: 'Check host and port in SMTP_URL, and firewalls: many providers block port 25',
  ECONNREFUSED: 'Check host and port in SMTP_URL',
  ESOCKET: 'Check host and port in SMTP_URL, and whether it is smtps:// (465) or smtp:// (587)',
  ETIMEDOUT: 'Check host and port in SMTP_URL, and firewalls: many providers block port 25',
  ETLS: 'The server doesn’t offer TLS. To send the password anyway, add ?requireTLS=false',
}

function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return advice[code] ?? 'Check SMTP_URL'
}
