import type { Config } from '../../../config.ts'
import { createSmtpMailer, verifySmtp } from '../../../platform/mail/smtp.ts'
import { describeError, type Log } from '../../../platform/observability/log.ts'
import { asSentence, type Finding, failure, ok, warning } from './finding.ts'

/** @param sendTestTo address of a test mail, or null. */
export async function checkMail(config: Config, sendTestTo: string | null, log: Log): Promise<Finding[]> {
  const { smtpUrl, mailFrom } = config
  if (!smtpUrl) {
    const text = 'SMTP_URL is not set: mails stay in DATA_DIR/outbox, and nobody can register from elsewhere'
    return [sendTestTo ? failure(text) : warning(text)]
  }
  const { host } = new URL(smtpUrl)
  try {
    await verifySmtp(smtpUrl)
  } catch (error) {
    return [
      failure(`The mail server ${host} does not let us in: ${asSentence(describeError(error))} ${adviceOn(error)}`),
    ]
  }
  const found = [ok(`The mail server ${host} answers, and takes the login of SMTP_URL`)]
  if (sendTestTo) found.push(await sendTest(smtpUrl, mailFrom, sendTestTo, log))
  else found.push(ok('Whether mails arrive is seen with: lectern admin doctor --send-test ADDRESS'))
  return found
}

async function sendTest(url: string, from: string, to: string, log: Log): Promise<Finding> {
  const mailer = createSmtpMailer({ url, from, log })
  const text = 'This mail was sent by lectern admin doctor. Links to verify an e-mail arrive as it did.'
  try {
    await mailer.send({ to, subject: 'A test mail from Lectern', text, html: `<p>${text}</p>` })
    return ok(
      `A mail to ${to} was taken. If it is not there, or among spam, look at SPF and DKIM of MAIL_FROM’s domain`,
    )
  } catch (error) {
    return failure(
      `A mail to ${to} was refused: ${asSentence(describeError(error))} Look at MAIL_FROM, and at what the user of SMTP_URL may send`,
    )
  } finally {
    await mailer.close()
  }
}

/** Advice by the error codes of nodemailer and the system. */
const advice: Record<string, string> = {
  EAUTH: 'Look at user and password in SMTP_URL; characters such as # are percent-encoded there',
  EDNS: 'SMTP_URL names a host that nobody knows',
  ENOTFOUND: 'SMTP_URL names a host that nobody knows',
  ECONNECTION: 'Look at host and port in SMTP_URL, and at firewalls: many providers block port 25',
  ECONNREFUSED: 'Look at host and port in SMTP_URL',
  ESOCKET: 'Look at host and port in SMTP_URL, and whether it is smtps:// (465) or smtp:// (587)',
  ETIMEDOUT: 'Look at host and port in SMTP_URL, and at firewalls: many providers block port 25',
  ETLS: 'It offers no TLS: a password goes there only with ?requireTLS=false',
}

function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return advice[code] ?? 'Look at SMTP_URL'
}
