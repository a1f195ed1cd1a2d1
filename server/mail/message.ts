import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './mailer.ts'

/** What both ways of sending hand to nodemailer: exactly one recipient, and no header but ours. */
export function composeMessage(mail: Mail, from: string): SendMailOptions {
  const to = { name: '', address: getPlainAddress(mail.to) }
  return {
    from,
    to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    ...(mail.messageId === undefined ? {} : { messageId: `<${getIdPart(mail.messageId)}@${getHost(from)}>` }),
    // Out-of-office replies and list software leave such mails alone (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeLink) },
    // A mail never pulls in a file or an address of the server.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * The address itself, where it is one bare address: no name, list, group, comment, quoting or line break, so that it
 * cannot become a second recipient or header (THREATS.md C6).
 */
function getPlainAddress(text: string): string {
  const isPlain =
    text.length <= 254 && /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+@[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}]+$/u.test(text)
  if (!isPlain) throw new Error('The recipient is not one plain e-mail address')
  return text
}

/** Mail programs show a button for it, and press it without opening a page. */
const unsubscribeHeaders = (link: string | undefined): Record<string, string> =>
  link === undefined ? {} : { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

function getIdPart(id: string): string {
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(id)) throw new Error('The message id has characters that cannot be used')
  return id
}

const getHost = (from: string) => /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
