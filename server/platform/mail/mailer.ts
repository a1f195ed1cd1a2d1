import type { SendMailOptions } from 'nodemailer'

/** One mail to one person. */
export type Mail = {
  /** A bare address such as `ana@example.org`; anything else is refused. */
  to: string
  subject: string
  text: string
  html: string
  /** What is unique about the mail, such as the id of its job: a mail sent twice then shows once in many mailboxes. */
  messageId?: string
  /** What the reader is to open. The outbox prints it in the terminal; it is not sent besides the text. */
  link?: string
  /** For mails that one may not want: a POST to it ends them (RFC 8058). */
  unsubscribeLink?: string
}

export type Mailer = {
  /** Resolves once the mail server, or the outbox, has taken the mail over. Rejects within 40 s otherwise. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

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
